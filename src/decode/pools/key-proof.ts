import type { Chain } from "../../chains/chain.ts";
import type { SingletonFamily } from "../../schema/pool-families.ts";
import type { Pool } from "../../schema/swap.ts";
import type { UnknownSwap } from "../families/swap-family.ts";
import { poolOf } from "../proofs/pool-of.ts";
import { FAMILIES } from "./swap-families.ts";

/**
 * Maximum number of hashes in one attempt. A failed attempt for a real swap takes about 600 hashes, or 2 to 5
 * ms. None of the twelve real swaps in the test data needed more than 27.
 */
export const HASHES_PER_PROOF = 1_024;

export interface KeyProof {
  pool: Pool | null;
  /** Number of keys that were hashed. */
  hashes: number;
}

/**
 * Finds the key of a singleton's pool from a transaction that swaps in the pool, without any call. The id is
 * the key's hash, so a matching key is proven, whatever the source of its parts. A failed search proves
 * nothing.
 *
 * @param swap a swap in a singleton that the chain lists
 * @param hashes maximum number of keys to hash
 */
export function poolOfSwap(
  swap: UnknownSwap & { family: SingletonFamily },
  chain: Chain,
  hashes: number,
): KeyProof {
  const { id, family, log } = swap;
  const deployment = chain.deployments.find(
    (listed) => listed.family === family && listed.factory === log.address,
  );
  const { keys } = FAMILIES[family];
  const tried = new Set<string>();
  if (deployment === undefined || keys === undefined) return { pool: null, hashes: 0 };
  for (const key of keys.suggestedKeys(swap)) {
    if (tried.has(key)) continue;
    if (tried.size >= hashes) break;
    tried.add(key);
    const found = keys.poolOfKey(id, `0x${key}`);
    if (found !== null) return { pool: poolOf(deployment, found, chain), hashes: tried.size };
  }
  return { pool: null, hashes: tried.size };
}
