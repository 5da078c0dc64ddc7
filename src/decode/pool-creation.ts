import type { Chain, Deployment } from "../chains/chain.ts";
import type { Block, Log } from "../schema/block.ts";
import type { Pool } from "../schema/swap.ts";
import { poolAddress } from "./create2.ts";
import { CREATION_EVENTS } from "./swap-families.ts";
import { type AnnouncedPool, hasForm } from "./swap-family.ts";

/**
 * The pool that a log announces; null unless one of the chain's listed factories sent it. Where the deployment
 * has an init-code hash the address must follow from it: otherwise the pool is left to discovery, which asks
 * the factory.
 */
export function createdPool(log: Log, block: Block, chain: Chain): Pool | null {
  const [topic] = log.topics;
  const family = topic === undefined ? undefined : CREATION_EVENTS.get(topic);
  if (family === undefined || !hasForm(log, family.creation)) return null;
  const deployment = chain.deployments.find(
    (listed) => listed.factory === log.address && listed.family === family.family,
  );
  if (deployment === undefined) return null;
  const announced = family.creation.read(log);
  if (announced === null || contradicts(deployment, announced)) return null;
  return poolOf(deployment, announced, { block: block.number, timestamp: block.timestamp });
}

function contradicts(deployment: Deployment, announced: AnnouncedPool): boolean {
  const expected = poolAddress(deployment, announced);
  return expected !== null && expected !== announced.address;
}

/** A pool of a deployment. `created` is null when the creation was not seen. */
export function poolOf(
  deployment: Deployment,
  { address, token0, token1, fee }: AnnouncedPool,
  created: { block: number; timestamp: number } | null,
): Pool {
  return {
    address,
    family: deployment.family,
    protocol: deployment.protocol,
    factory: deployment.factory,
    token0,
    token1,
    fee: fee ?? deployment.fee,
    createdBlock: created?.block ?? null,
    createdTimestamp: created?.timestamp ?? null,
  };
}
