import { hexText, integer, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { BlockRef } from "../../schema/block.ts";
import type { RpcSource } from "../../sources/rpc-source.ts";
import type { Commit, Engine } from "../../storage/store.ts";
import { type Holding, tokenOf, walletOf } from "../../storage/stored-balances.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import { judgeReading, type Reading } from "./judge-reading.ts";
import { knownOpenings, storeOpenings } from "./opening-rows.ts";

/** Endpoints that make calls in the state of a given block. */
export type StateSource = Pick<RpcSource, "callAt" | "blockRef">;

/** A reading that is judged once its block is final. */
export interface PendingReading extends Reading {
  hash: Hex;
}

interface ReadContext {
  source: StateSource;
  engine: Engine;
  chain: string;
  /** Unix seconds. */
  now: number;
}

/** balanceOf(address) */
const BALANCE_OF = "0x70a08231";
const WORD_DIGITS = 64;

export interface ReadBalances {
  readings: PendingReading[];
  /** How many balances were requested from each endpoint that was used. */
  count: number;
}

/**
 * Reads the balances of holdings after the newest committed block. For holdings that were never read, also
 * reads the balances before the first block if an archive node is available, so that most of these holdings
 * need no later reading.
 *
 * @returns null if no endpoint has the state of the newest block
 */
export async function readBalances(
  holdings: readonly Holding[],
  commit: Commit,
  context: ReadContext,
): Promise<ReadBalances | null> {
  const { blockNumber, blockHash } = commit;
  const newest = await readingsAt({ number: blockNumber, hash: blockHash }, holdings, context.source);
  const block = await context.source.blockRef(blockNumber);
  // The state may belong to another fork, or the block may have been removed.
  if (block?.hash !== blockHash) return { readings: [], count: holdings.length };
  if (newest === null) return null;
  const before = await readBeforeFirst(holdings, commit, context);
  const readings = newest.map((reading) => ({ ...reading, hash: blockHash }));
  return { readings, count: holdings.length + before };
}

/**
 * Reads and stores the balances before the first block of the holdings that were never read. Returns how many
 * balances were requested.
 */
async function readBeforeFirst(
  holdings: readonly Holding[],
  commit: Commit,
  context: ReadContext,
): Promise<number> {
  const { source, engine, chain, now } = context;
  const { firstBlock } = commit;
  const known = await knownOpenings(engine, { chain, firstBlock }, holdings);
  const unread = holdings.filter((holding) => !known.has(holding));
  const before = unread.length === 0 ? null : await linkedParent(commit, context);
  if (before === null) return 0;
  const readings = await readingsAt(before, unread, source);
  if (readings === null) return 0;
  const rows = readings.map((reading) => judgeReading(null, { reading, sums: undefined, firstBlock, now }));
  await storeOpenings(engine, chain, rows);
  return unread.length;
}

/**
 * Returns the parent of the first indexed block if both blocks are final and the source's chain has the
 * parent; otherwise null.
 */
async function linkedParent(
  { firstBlock, finalized }: Commit,
  { source, engine, chain }: ReadContext,
): Promise<BlockRef | null> {
  if (finalized === null || finalized < firstBlock) return null;
  const [stored] = await engine.query<{ parent: Hex }>(
    sql`SELECT ${hexText(sql`parent_hash`)} AS parent FROM ${engineTable(chain, "blocks")}
      WHERE block_number = ${integer(firstBlock)} LIMIT 1`,
  );
  const parent = await source.blockRef(firstBlock - 1);
  return parent?.hash === stored?.parent ? parent : null;
}

/**
 * Reads balances after a block. Omits balances on which endpoints disagree. Returns null if no endpoint has
 * the state.
 */
async function readingsAt(
  block: BlockRef,
  holdings: readonly Holding[],
  source: StateSource,
): Promise<Reading[] | null> {
  const calls = holdings.map((holding) => ({ to: tokenOf(holding), data: balanceCall(walletOf(holding)) }));
  const results = await source.callAt(block, calls);
  if (results === null) return null;
  return holdings.flatMap((holding, i) => {
    const result = results[i];
    return result === undefined ? [] : [{ holding, block: block.number, balance: balanceIn(result) }];
  });
}

function balanceCall(wallet: Hex): Hex {
  return `${BALANCE_OF}${wallet.slice(2).padStart(WORD_DIGITS, "0")}`;
}

function balanceIn(result: Hex | null): bigint | null {
  if (result === null || result.length < 2 + WORD_DIGITS) return null;
  return BigInt(result.slice(0, 2 + WORD_DIGITS));
}
