import type { Chain, Deployment } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { Pool } from "../../schema/swap.ts";
import { CREATION_EVENTS } from "../swap-families.ts";
import { type AnnouncedPool, hasForm } from "../swap-family.ts";
import { poolAddress } from "./create2.ts";

/** What stands for the native coin in a singleton's pools. */
const NATIVE_COIN: Hex = "0x0000000000000000000000000000000000000000";

/** When a pool was created; null when that was not seen. */
type Created = { block: number; timestamp: number } | null;

/**
 * The pool that a log announces; null unless one of the chain's listed factories sent it. Where the deployment
 * has an init-code hash the address must follow from it: otherwise the pool is left to discovery, which asks
 * the factory.
 */
export function createdPool(log: Log, chain: Chain, created: Created): Pool | null {
  const [topic] = log.topics;
  const family = topic === undefined ? undefined : CREATION_EVENTS.get(topic);
  if (family === undefined || !hasForm(log, family.creation)) return null;
  const deployment = chain.deployments.find(
    (listed) => listed.factory === log.address && listed.family === family.family,
  );
  if (deployment === undefined) return null;
  const announced = family.creation.read(log);
  if (announced === null || contradicts(deployment, announced)) return null;
  return poolOf(deployment, withTokens(announced, chain), created);
}

/** The native coin counts as the wrapped one, which is worth the same. */
export function withTokens<P extends AnnouncedPool>(announced: P, { wrappedNative }: Chain): P {
  const tokenOf = (currency: Hex) => (currency === NATIVE_COIN ? wrappedNative : currency);
  return { ...announced, token0: tokenOf(announced.token0), token1: tokenOf(announced.token1) };
}

function contradicts(deployment: Deployment, announced: AnnouncedPool): boolean {
  const expected = poolAddress(deployment, announced);
  return expected !== null && expected !== announced.address;
}

/** A pool of a deployment. */
export function poolOf(
  deployment: Deployment,
  { address, token0, token1, fee }: AnnouncedPool,
  created: Created,
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
