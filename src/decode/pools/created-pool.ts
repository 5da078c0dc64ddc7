import type { Chain, Deployment } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, Log } from "../../schema/block.ts";
import type { Pool } from "../../schema/swap.ts";
import { type AnnouncedPool, hasForm } from "../families/swap-family.ts";
import { poolAddress } from "./create2.ts";
import { CREATION_EVENTS } from "./swap-families.ts";

/** How a singleton's pools denote the native coin. */
const NATIVE_COIN: Hex = "0x0000000000000000000000000000000000000000";

/** The block that created a pool; null if it is unknown. */
type CreationBlock = Pick<Block, "number" | "timestamp"> | null;

/**
 * The pool that a log announces; null unless the log comes from one of the chain's listed factories. Where
 * the deployment has an init-code hash, the pool's address must follow from it. A pool at another address is
 * left to discovery, which calls the factory.
 */
export function createdPool(log: Log, chain: Chain, block: CreationBlock): Pool | null {
  const [topic] = log.topics;
  const family = topic === undefined ? undefined : CREATION_EVENTS.get(topic);
  if (family === undefined || !hasForm(log, family.creation)) return null;
  const deployment = chain.deployments.find(
    (listed) => listed.factory === log.address && listed.family === family.family,
  );
  if (deployment === undefined) return null;
  const announced = family.creation.read(log);
  if (announced === null || contradicts(deployment, announced)) return null;
  return poolOf(deployment, withWrappedNative(announced, chain), block);
}

/** Replaces the native coin by the wrapped one, which is worth the same. */
export function withWrappedNative(announced: AnnouncedPool, { wrappedNative }: Chain): AnnouncedPool {
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
  block: CreationBlock,
): Pool {
  return {
    address,
    family: deployment.family,
    protocol: deployment.protocol,
    factory: deployment.factory,
    token0,
    token1,
    fee: fee ?? deployment.fee,
    createdBlock: block?.number ?? null,
    createdTimestamp: block?.timestamp ?? null,
  };
}
