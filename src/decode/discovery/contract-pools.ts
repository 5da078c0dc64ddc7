import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { Pool } from "../../schema/swap.ts";
import type { CallResults, FollowUp } from "../families/swap-family.ts";
import { FAMILIES } from "../pools/swap-families.ts";
import type { Candidate } from "./unknown-pools.ts";

/** Returns the calls whose results `judgePools` needs. */
export function poolCalls(candidates: readonly Candidate[], chain: Chain): ContractCall[] {
  return candidates.flatMap((candidate) => callsFor(candidate, chain));
}

function callsFor({ address, family }: Candidate, chain: Chain): ContractCall[] {
  return FAMILIES[family].proof?.calls(address, chain) ?? [];
}

/**
 * Applies each candidate's family proof to the results of `poolCalls`. If another contract must confirm a
 * candidate, the candidate is in `followUps`, and `confirmPools` judges it. A candidate that is in neither
 * result may still be proven by a transaction. In `pools`, null means that the contract is not a pool.
 */
export function judgePools(
  candidates: readonly Candidate[],
  results: CallResults,
  chain: Chain,
): { pools: Map<Hex, Pool | null>; followUps: FollowUp[] } {
  const pools = new Map<Hex, Pool | null>();
  const followUps: FollowUp[] = [];
  let next = 0;
  for (const candidate of candidates) {
    const { address, family } = candidate;
    const count = callsFor(candidate, chain).length;
    const verdict = FAMILIES[family].proof?.judge(address, results.slice(next, next + count), chain);
    next += count;
    if (verdict === undefined) continue;
    if (verdict !== null && !("family" in verdict)) followUps.push(...verdict);
    else if (!pools.get(address)) pools.set(address, verdict);
  }
  return { pools, followUps };
}

/**
 * Judges follow-ups by the results of their calls. Returns the pools by address, with null for a contract
 * that is not a pool.
 */
export function confirmPools(followUps: readonly FollowUp[], results: CallResults): Map<Hex, Pool | null> {
  const pools = new Map<Hex, Pool | null>();
  followUps.forEach(({ address, poolOf }, i) => {
    if (!pools.get(address)) pools.set(address, poolOf(results[i] ?? null));
  });
  return pools;
}
