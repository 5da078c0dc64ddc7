import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, Log } from "../../schema/block.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import { type ContractFamily, isSingleton, type Pool, type PoolFamily } from "../../schema/swap.ts";
import { addressOf, addressWord, smallUintOf, uintWord, wordAt } from "../abi.ts";
import type { PoolBook } from "../decode-block.ts";
import { CONTRACT_FAMILIES, POOL_EVENTS } from "../swap-families.ts";
import { hasForm } from "../swap-family.ts";
import type { PoolKey } from "./create2.ts";
import { madePool } from "./pool-by-create2.ts";
import { createdPool, poolOf } from "./pool-creation.ts";
import { poolNamedIn } from "./pool-id.ts";

/** What speaks like a pool of a family, or is spoken of like one, and of which nothing is known yet. */
export interface Candidate<F extends PoolFamily = PoolFamily> {
  /** A singleton's pool: its id. */
  address: Hex;
  family: F;
}

type ContractCandidate = Candidate<ContractFamily>;

/** A pool that its factory still has to confirm. */
export interface FollowUp {
  pool: Pool;
  call: ContractCall;
}

/** Answers of contract calls in order; null where a call reverts. */
type Answers = readonly (Hex | null)[];

const TOKEN0: Hex = "0x0dfe1681";
const TOKEN1: Hex = "0xd21220a7";
const FACTORY: Hex = "0xc45a0155";
/** Factories of the V3 family refuse a fee of a whole amount and more. */
const FEE_LIMIT = 1_000_000;

/**
 * Pools of which there are events in these blocks, that are not in the book and were not created in these blocks by
 * a listed factory: to be discovered before the blocks are decoded. In order of first appearance.
 */
export function unknownPools(blocks: readonly Block[], pools: PoolBook, chain: Chain): Candidate[] {
  const created = new Set<Hex>();
  const candidates = new Map<string, Candidate>();
  for (const { block, log } of logsOf(blocks)) {
    const found = POOL_EVENTS.get(log.topics[0] ?? "0x");
    if (found === undefined) {
      const pool = createdPool(log, chain, { block: block.number, timestamp: block.timestamp });
      if (pool !== null) created.add(pool.address);
    } else if (hasForm(log, found.event)) {
      const { family } = found;
      const address = poolNamedIn(log, family, chain);
      if (address !== null && pools.get(address) === undefined)
        candidates.set(`${address}:${family}`, { address, family });
    }
  }
  return [...candidates.values()].filter(({ address }) => !created.has(address));
}

function* logsOf(blocks: readonly Block[]): Iterable<{ block: Block; log: Log }> {
  for (const block of blocks) {
    for (const transaction of block.transactions) {
      for (const log of transaction.logs) yield { block, log };
    }
  }
}

/** How many swaps these blocks have in some pools of singletons. */
export function countSwaps(blocks: readonly Block[], pools: ReadonlySet<Hex>, chain: Chain): number {
  if (pools.size === 0) return 0;
  let count = 0;
  for (const { log } of logsOf(blocks)) {
    const found = POOL_EVENTS.get(log.topics[0] ?? "0x");
    if (found === undefined || !isSingleton(found.family) || !hasForm(log, found.event)) continue;
    const name = poolNamedIn(log, found.family, chain);
    if (name !== null && pools.has(name)) count++;
  }
  return count;
}

function selectorsOf(family: ContractFamily): Hex[] {
  const { fee } = CONTRACT_FAMILIES[family].selectors;
  return fee === null ? [TOKEN0, TOKEN1, FACTORY] : [TOKEN0, TOKEN1, FACTORY, fee];
}

/** What to ask the candidates, for `judgePools`. */
export function poolQuestions(candidates: readonly ContractCandidate[]): ContractCall[] {
  return candidates.flatMap(({ address, family }) =>
    selectorsOf(family).map((data) => ({ to: address, data })),
  );
}

/**
 * Judges candidates by their answers to `poolQuestions`. Proof is that the address follows by CREATE2 from a
 * listed deployment, the tokens told and the fee told, or else a usual one. Who merely names a listed factory is in `followUps`: the factory is to
 * be asked, and `confirmPools` judges. Who tells no tokens, or no fee, is not judged: transfers may prove it
 * yet. Everybody else is no pool (null).
 */
export function judgePools(
  candidates: readonly ContractCandidate[],
  answers: Answers,
  chain: Chain,
): { pools: Map<Hex, Pool | null>; followUps: FollowUp[] } {
  const pools = new Map<Hex, Pool | null>();
  const followUps: FollowUp[] = [];
  let next = 0;
  for (const candidate of candidates) {
    const count = selectorsOf(candidate.family).length;
    const verdict = judge(candidate, answers.slice(next, next + count), chain);
    next += count;
    if (verdict === undefined) continue;
    if (verdict !== null && "call" in verdict) followUps.push(verdict);
    else if (!pools.get(candidate.address)) pools.set(candidate.address, verdict);
  }
  return { pools, followUps };
}

type Verdict = Pool | FollowUp | null | undefined;

function judge({ address, family }: ContractCandidate, answers: Answers, chain: Chain): Verdict {
  const token0 = addressIn(answers[0]);
  const token1 = addressIn(answers[1]);
  if (token0 === null || token1 === null) return undefined;
  const fee = feeOf(family, answers);
  const fees = fee === undefined ? CONTRACT_FAMILIES[family].feeTiers : [fee];
  const pool = madePool({ address, family, token0, token1, fees }, chain);
  if (pool !== null) return pool;
  if (fee === undefined) return undefined;
  const factory = addressIn(answers[2]);
  const named = chain.deployments.find(
    (listed) => listed.family === family && listed.factory === factory && listed.keys === undefined,
  );
  if (named === undefined) return null;
  const key = { token0, token1, fee };
  const call = findPoolCall(named.factory, family, key);
  return { pool: poolOf(named, { address, ...key }, null), call };
}

/** The fee that a pool tells, null in a family whose pools tell none; undefined where it should and does not. */
function feeOf(family: ContractFamily, answers: Answers): number | null | undefined {
  if (CONTRACT_FAMILIES[family].selectors.fee === null) return null;
  const fee = smallUintOf(firstWord(answers[3]));
  return fee === null || fee >= FEE_LIMIT ? undefined : fee;
}

function firstWord(answer: Hex | null | undefined): Hex | undefined {
  return answer ? wordAt(answer, 0) : undefined;
}

function addressIn(answer: Hex | null | undefined): Hex | null {
  return addressOf(firstWord(answer));
}

function findPoolCall(factory: Hex, family: ContractFamily, { token0, token1, fee }: PoolKey): ContractCall {
  const { findPool } = CONTRACT_FAMILIES[family].selectors;
  const feeWord = fee === null ? "" : uintWord(fee);
  const data: Hex = `${findPool}${addressWord(token0)}${addressWord(token1)}${feeWord}`;
  return { to: factory, data };
}

function isContract(candidate: Candidate): candidate is ContractCandidate {
  return !isSingleton(candidate.family);
}

/** Judges follow-ups by their factories' answers: genuine when the factory names the very same address. */
export function confirmPools(followUps: readonly FollowUp[], answers: Answers): Map<Hex, Pool | null> {
  const pools = new Map<Hex, Pool | null>();
  followUps.forEach(({ pool }, i) => {
    const confirmed = addressIn(answers[i]) === pool.address;
    if (!pools.get(pool.address)) pools.set(pool.address, confirmed ? pool : null);
  });
  return pools;
}

/**
 * Asks and judges: the genuine pools among the candidates that are contracts, null for those that are none. `call` answers in order with null
 * where a call reverts; whatever it throws passes through, and nothing is judged then.
 */
export async function discoverPools(
  found: readonly Candidate[],
  chain: Chain,
  call: (calls: ContractCall[]) => Promise<(Hex | null)[]>,
): Promise<Map<Hex, Pool | null>> {
  const candidates = found.filter(isContract);
  if (candidates.length === 0) return new Map();
  const { pools, followUps } = judgePools(candidates, await call(poolQuestions(candidates)), chain);
  if (followUps.length === 0) return pools;
  const confirmed = confirmPools(followUps, await call(followUps.map((followUp) => followUp.call)));
  for (const [address, pool] of confirmed) if (!pools.get(address)) pools.set(address, pool);
  return pools;
}
