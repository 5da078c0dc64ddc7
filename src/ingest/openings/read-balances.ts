import type { Clock } from "../../lib/async/clock.ts";
import type { Hex } from "../../lib/hex.ts";
import type { RpcSource } from "../../sources/rpc-source.ts";
import { writeOpenings } from "../../storage/openings/stored-openings.ts";
import type { Commit, Engine } from "../../storage/store.ts";
import { type Holding, tokenOf, walletOf } from "../../storage/stored-balances.ts";
import { judgeReading, type Reading } from "./judge-reading.ts";
import { knownOpenings, numbered } from "./opening-rows.ts";

/** Endpoints that make calls in the state of a given block. */
export type StateSource = Pick<RpcSource, "callAt" | "blockRef">;

/** A reading that counts once its block is final. */
export interface PendingReading extends Reading {
  hash: Hex;
}

interface ReadContext {
  source: StateSource;
  engine: Engine;
  chain: string;
  clock: Clock;
}

/** balanceOf(address) */
const BALANCE_OF = "0x70a08231";
const WORD_DIGITS = 64;

/**
 * Reads balances after the newest committed block. From an archive node, also reads those before the first
 * block of holdings that were never read, which confirms most of them at once.
 *
 * @returns null if no endpoint has the state of the newest block
 */
export async function readBalances(
  holdings: readonly Holding[],
  { firstBlock, blockNumber, blockHash }: Commit,
  context: ReadContext,
): Promise<PendingReading[] | null> {
  const newest = await readingsAt(blockNumber, holdings, context.source);
  if (newest === null) return null;
  const block = await context.source.blockRef(blockNumber);
  // The state may be that of another fork.
  if (block?.hash !== blockHash) return [];
  await readBeforeFirst(holdings, firstBlock, context);
  return newest.map((reading) => ({ ...reading, hash: blockHash }));
}

/** The block before the first is final for the index: the index never rolls it back. */
async function readBeforeFirst(
  holdings: readonly Holding[],
  firstBlock: number,
  { source, engine, chain, clock }: ReadContext,
): Promise<void> {
  const from = { chain, firstBlock };
  const known = await knownOpenings(engine, from, holdings);
  const unread = holdings.filter((holding) => !known.has(holding));
  if (unread.length === 0) return;
  const readings = await readingsAt(firstBlock - 1, unread, source);
  if (readings === null) return;
  const now = Math.floor(clock.now() / 1_000);
  const rows = readings.map((reading) => judgeReading(null, { reading, sums: undefined, firstBlock, now }));
  await writeOpenings(engine, chain, numbered(rows, clock));
}

/** Leaves out the balances on which endpoints disagree. */
async function readingsAt(
  block: number,
  holdings: readonly Holding[],
  source: StateSource,
): Promise<Reading[] | null> {
  const calls = holdings.map((holding) => ({ to: tokenOf(holding), data: balanceCall(walletOf(holding)) }));
  const results = await source.callAt(block, calls);
  if (results === null) return null;
  return holdings.flatMap((holding, i) => {
    const result = results[i];
    return result === undefined ? [] : [{ holding, block, balance: balanceIn(result) }];
  });
}

function balanceCall(wallet: Hex): Hex {
  return `${BALANCE_OF}${wallet.slice(2).padStart(WORD_DIGITS, "0")}`;
}

function balanceIn(result: Hex | null): bigint | null {
  if (result === null || result.length < 2 + WORD_DIGITS) return null;
  return BigInt(result.slice(0, 2 + WORD_DIGITS));
}
