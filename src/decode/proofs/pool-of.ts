import { type Chain, type Deployment, NATIVE_COIN } from "../../chains/chain.ts";
import { type Hex, ZERO_ADDRESS } from "../../lib/hex.ts";
import type { Block } from "../../schema/block.ts";
import type { Pool } from "../../schema/swap.ts";
import type { AnnouncedPool } from "../families/swap-family.ts";

/** Addresses that denote the native coin in pools. */
const NATIVE_COINS: readonly Hex[] = [ZERO_ADDRESS, NATIVE_COIN];

/** Block that created a pool. Null if it is unknown. */
export type CreationBlock = Pick<Block, "number" | "timestamp"> | null;

/** Returns the token of a currency. The native coin counts as the wrapped coin, which has the same value. */
export function tokenOf(currency: Hex, { wrappedNative }: Pick<Chain, "wrappedNative">): Hex {
  return NATIVE_COINS.includes(currency) ? wrappedNative : currency;
}

/**
 * Makes a pool of a deployment. If the deployment has `keys`, the pool's fee is null, because the announced
 * number is not a fee.
 */
export function poolOf(
  deployment: Deployment,
  { address, token0, token1, fee, tokens = [token0, token1], underlying = [], ...more }: AnnouncedPool,
  chain: Chain,
  block: CreationBlock = null,
): Pool {
  return {
    address,
    family: deployment.family,
    protocol: deployment.protocol,
    factory: deployment.factory,
    token0: tokenOf(token0, chain),
    token1: tokenOf(token1, chain),
    tokens: tokens.map((token) => token && tokenOf(token, chain)),
    underlying: underlying.map((token) => token && tokenOf(token, chain)),
    fee: deployment.keys === undefined ? (fee ?? deployment.fee) : null,
    hooks: more.hooks ?? null,
    hookFlags: more.hookFlags ?? null,
    createdBlock: block?.number ?? null,
    createdTimestamp: block?.timestamp ?? null,
  };
}
