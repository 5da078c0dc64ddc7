import type { Chain } from "../../chains/chain.ts";
import type { Log } from "../../schema/block.ts";
import type { Pool } from "../../schema/swap.ts";
import { hasForm } from "../families/swap-family.ts";
import { type CreationBlock, poolOf } from "../proofs/pool-of.ts";
import { poolAddress } from "./pool-address.ts";
import { CREATION_EVENTS } from "./swap-families.ts";

/**
 * Returns the pool that a log announces. Returns null unless the log comes from one of the chain's listed
 * factories. If the deployment has an init-code hash, the pool's address must match the address derived from
 * it.
 *
 * @param transactionLogs all logs of the transaction that created the pool
 */
export function createdPool(
  log: Log,
  chain: Chain,
  block: CreationBlock,
  transactionLogs: readonly Log[],
): Pool | null {
  const [topic] = log.topics;
  for (const { family, creation } of (topic && CREATION_EVENTS.get(topic)) ?? []) {
    if (!hasForm(log, creation)) continue;
    const deployment = chain.deployments.find(
      (listed) => listed.factory === log.address && listed.family === family.family,
    );
    if (deployment === undefined) continue;
    const announced = creation.read(log, transactionLogs, deployment);
    if (announced === null) return null;
    const { token0, token1, fee, key = fee } = announced;
    const expected = poolAddress(deployment, { token0, token1, key });
    if (expected !== null && expected !== announced.address) return null;
    return poolOf(deployment, announced, chain, block);
  }
  return null;
}
