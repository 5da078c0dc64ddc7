import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import { type ContractFamily, isSingleton, type Pool } from "../../schema/swap.ts";
import { addressOf, addressWord, smallUintOf, uintWord, wordAt } from "../abi/abi.ts";
import type { PoolKey } from "../families/swap-family.ts";
import { poolOf } from "../pools/created-pool.ts";
import { poolByCreate2 } from "../pools/pool-by-create2.ts";
import { CONTRACT_FAMILIES } from "../pools/swap-families.ts";
import type { Candidate } from "./unknown-pools.ts";

type ContractCandidate = Candidate<ContractFamily>;

/** A pool that its factory must confirm, and the call to confirm it. */
export interface FollowUp {
  pool: Pool;
  call: ContractCall;
}

/** Results of contract calls in order; null where a call reverts. */
type CallResults = readonly (Hex | null)[];

const TOKEN0: Hex = "0x0dfe1681";
const TOKEN1: Hex = "0xd21220a7";
const FACTORY: Hex = "0xc45a0155";
/** Factories of the V3 family reject fees of 100 % and more. */
const FEE_LIMIT = 1_000_000;

export function isContractCandidate(candidate: Candidate): candidate is ContractCandidate {
  return !isSingleton(candidate.family);
}

function selectorsOf(family: ContractFamily): Hex[] {
  const { fee } = CONTRACT_FAMILIES[family].selectors;
  return fee === null ? [TOKEN0, TOKEN1, FACTORY] : [TOKEN0, TOKEN1, FACTORY, fee];
}

/** The calls whose results `judgePools` needs. */
export function poolCalls(candidates: readonly ContractCandidate[]): ContractCall[] {
  return candidates.flatMap(({ address, family }) =>
    selectorsOf(family).map((data) => ({ to: address, data })),
  );
}

/**
 * Judges candidates by the results of `poolCalls`. A candidate is a pool if its address follows by CREATE2
 * from a listed deployment, its tokens and its fee, or a usual fee if it returns none. If it only names a
 * listed factory, it is in `followUps`: the factory must be called, and `confirmPools` judges. A candidate
 * that returns no tokens, or no fee, is not judged, because transfers may still prove it. Every other
 * candidate is not a pool (null).
 */
export function judgePools(
  candidates: readonly ContractCandidate[],
  results: CallResults,
  chain: Chain,
): { pools: Map<Hex, Pool | null>; followUps: FollowUp[] } {
  const pools = new Map<Hex, Pool | null>();
  const followUps: FollowUp[] = [];
  let next = 0;
  for (const candidate of candidates) {
    const count = selectorsOf(candidate.family).length;
    const verdict = judge(candidate, results.slice(next, next + count), chain);
    next += count;
    if (verdict === undefined) continue;
    if (verdict !== null && "call" in verdict) followUps.push(verdict);
    else if (!pools.get(candidate.address)) pools.set(candidate.address, verdict);
  }
  return { pools, followUps };
}

/** Null: not a pool; undefined: undecided. */
type Verdict = Pool | FollowUp | null | undefined;

function judge(candidate: ContractCandidate, results: CallResults, chain: Chain): Verdict {
  const { address, family } = candidate;
  const token0 = addressIn(results[0]);
  const token1 = addressIn(results[1]);
  if (token0 === null || token1 === null) return undefined;
  const fee = feeOf(family, results);
  const fees = fee === undefined ? CONTRACT_FAMILIES[family].feeTiers : [fee];
  const pool = poolByCreate2(candidate, [token0, token1], fees, chain);
  if (pool !== null) return pool;
  if (fee === undefined) return undefined;
  const factory = addressIn(results[2]);
  const named = chain.deployments.find(
    (listed) => listed.family === family && listed.factory === factory && listed.keys === undefined,
  );
  if (named === undefined) return null;
  const key = { token0, token1, fee };
  const call = findPoolCall(named.factory, family, key);
  return { pool: poolOf(named, { address, ...key }, null), call };
}

/**
 * The fee that a pool returns; null in a family whose pools have no such function, undefined if it returns
 * none.
 */
function feeOf(family: ContractFamily, results: CallResults): number | null | undefined {
  if (CONTRACT_FAMILIES[family].selectors.fee === null) return null;
  const fee = smallUintOf(firstWord(results[3]));
  return fee === null || fee >= FEE_LIMIT ? undefined : fee;
}

function firstWord(result: Hex | null | undefined): Hex | undefined {
  return result ? wordAt(result, 0) : undefined;
}

function addressIn(result: Hex | null | undefined): Hex | null {
  return addressOf(firstWord(result));
}

function findPoolCall(factory: Hex, family: ContractFamily, { token0, token1, fee }: PoolKey): ContractCall {
  const { findPool } = CONTRACT_FAMILIES[family].selectors;
  const feeWord = fee === null ? "" : uintWord(fee);
  const data: Hex = `${findPool}${addressWord(token0)}${addressWord(token1)}${feeWord}`;
  return { to: factory, data };
}

/**
 * Judges follow-ups by the results of their calls: a pool is genuine if the factory returns the same address.
 */
export function confirmPools(followUps: readonly FollowUp[], results: CallResults): Map<Hex, Pool | null> {
  const pools = new Map<Hex, Pool | null>();
  followUps.forEach(({ pool }, i) => {
    const isConfirmed = addressIn(results[i]) === pool.address;
    if (!pools.get(pool.address)) pools.set(pool.address, isConfirmed ? pool : null);
  });
  return pools;
}
