import { setImmediate } from "node:timers/promises";
import { answerExpression } from "../../engine-sql/column-types.ts";
import { identifier, integer, sql, time } from "../../engine-sql/sql-text.ts";
import { partsOf } from "../../lib/collections/parts.ts";
import { DAY_SECONDS } from "../../lib/seconds.ts";
import type { Misses } from "../../serving/memory-read.ts";
import type { PartName } from "../../serving/parts.ts";
import { recordsKey } from "../../serving/records/newest-records.ts";
import type { ServingState } from "../../serving/serving-state.ts";
import { type Commit, ReorganizedDuringRead, readSnapshot } from "../snapshot/snapshot.ts";
import { type Filled, type FillSource, fillMisses, NOTHING_FILLED } from "./fill-misses.ts";

/** Maximum age of the trades whose pools, tokens and wallets are loaded. */
const MAX_AGE_SECONDS = 7 * DAY_SECONDS;

/**
 * Maximum number of a wallet's trades within `MAX_AGE_SECONDS`. Wallets with more trades are bots, and
 * loading them would take most of the load's time.
 */
const MAX_TRADES = 1_000;

/** Maximum fraction of a part's memory that may be loaded, because questions need room for other keys. */
const SHARE_LOADED = 0.75;

/** Keys that are loaded before any question needs them. */
interface Loaded {
  part: PartName;
  /** The column of trades whose values are loaded, starting with the values in the newest trades. */
  column: "pool_address" | "token_address" | "trader_address";
  keyOf(value: string): string;
  /** Maximum number of keys: loading this many takes the engine a few seconds. */
  maxKeys: number;
  /**
   * Number of keys read at a time: these take the engine a few tenths of a second, so that other requests get
   * their turn.
   */
  keysPerRead: number;
}

/**
 * The keys that are loaded. bench/RESULTS.md lists how long each part takes to load, and the cost of a
 * question without it.
 */
const LOADED: readonly Loaded[] = [
  { part: "pools", column: "pool_address", keyOf: (pool) => pool, maxKeys: 10_000, keysPerRead: 500 },
  {
    part: "newestRecords",
    column: "token_address",
    keyOf: (token) => recordsKey({ table: "dex_trades", column: "token_address", capacity: 10 }, token),
    maxKeys: 3_000,
    keysPerRead: 200,
  },
  { part: "wallets", column: "trader_address", keyOf: (wallet) => wallet, maxKeys: 2_000, keysPerRead: 50 },
];

/**
 * Loads what most questions are about: the most recently traded pools, the newest trades of the most recently
 * traded tokens, and the wallets that traded last. By then, `loadTokens` and `loadWindow` have loaded prices
 * and the newest trades of all.
 *
 * @returns the number of keys that were loaded
 */
export async function loadRecent(source: FillSource): Promise<number> {
  const { serving } = source.readable;
  if (serving === undefined) return 0;
  let keys = 0;
  for (const loaded of LOADED) keys += await loadPart(source, serving, loaded);
  return keys;
}

async function loadPart(source: FillSource, serving: ServingState, loaded: Loaded): Promise<number> {
  const cache = serving.parts[loaded.part];
  const values = await recentValues(source, loaded);
  let keys = 0;
  for (const part of partsOf(values, loaded.keysPerRead)) {
    await setImmediate();
    source.limits.signal?.throwIfAborted();
    const { commit } = serving;
    if (commit === null || cache.use.bytes > SHARE_LOADED * cache.maxBytes) break;
    const missing = part.map(loaded.keyOf).filter((key) => cache.get(key) === undefined);
    const misses = new Map([[loaded.part, new Set(missing)]]);
    const filled = await fillUnlessReorganized(source, { serving, commit }, misses);
    if (filled !== null) keys += missing.length;
  }
  return keys;
}

/** Returns null if a reorg interferes. The keys are then read when a question needs them. */
async function fillUnlessReorganized(
  source: FillSource,
  target: { serving: ServingState; commit: Commit },
  misses: Misses,
): Promise<Filled | null> {
  try {
    return await fillMisses(source, target, misses, NOTHING_FILLED);
  } catch (error) {
    if (error instanceof ReorganizedDuringRead) return null;
    throw error;
  }
}

/** Reads the values of a column in the newest trades, newest first. */
async function recentValues(
  { reader, readable, limits }: FillSource,
  { column, maxKeys }: Loaded,
): Promise<string[]> {
  const value = identifier(column);
  const kind = column === "pool_address" ? "pool_id" : "address";
  const { answer } = await readSnapshot(reader, readable.chain.name, limits, (snapshot) => {
    const since = Math.max(0, snapshot.commit.timestamp - MAX_AGE_SECONDS);
    return snapshot.query<{ value: string }>(
      sql`SELECT ${answerExpression(kind, value, "rest")} AS value FROM ${snapshot.table("dex_trades")}
        WHERE timestamp >= ${time(since)} AND block_number <= ${integer(snapshot.commit.blockNumber)}
        GROUP BY ${value} ${column === "trader_address" ? sql`HAVING count() <= ${integer(MAX_TRADES)}` : sql``}
        ORDER BY max(timestamp) DESC LIMIT ${integer(maxKeys)}`,
    );
  });
  return answer.map((row) => row.value);
}
