import { hexText, integer, join, type Sql, sql, textArray } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { knownTokens } from "../../schema/pool-tokens.ts";
import { printVolumeUnits } from "../prices/exact-volume.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { swapsIn } from "../trades/pool-swaps.ts";
import { hasOneOf, POOL_TOKENS } from "../trades/pool-tokens.ts";
import { BY_TRADING, type DayTrades, type DayTradesRow, dayTrades, tradesOfDay } from "./day-trades.ts";
import { isPoolWithin, isWhole, type SearchText } from "./search-text.ts";

/**
 * A pool that matches a string. A swap has a row for each of its two tokens but is counted as one trade, with
 * the higher value.
 */
export interface FoundPool extends DayTrades {
  pool: Hex;
  protocol: string;
  /** Millionths; null if the pool's fee is not fixed. */
  fee: number | null;
  /** In the pool's order; tokens that are not known yet are left out. */
  tokens: Hex[];
}

/** The tokens that a pool must have: a different one from each set. */
export type TokenSets = readonly (readonly Hex[])[];

/**
 * Reads the pools that have a token of each set, or whose address or id begins with the text. A pool that the
 * text names in full comes first, then pools with accepted trades, then those with a higher 24-hour volume,
 * then older pools.
 *
 * Reads the metadata of all pools once, and the trades of the last 24 hours.
 */
export async function readMatchingPools(
  snapshot: Snapshot,
  searched: SearchText,
  { sets, most }: { sets: TokenSets; most: number },
): Promise<FoundPool[]> {
  const matches = poolsWith(snapshot, searched, sets);
  if (matches === null) return [];
  const rows = await snapshot.query<FoundRow>(
    sql`SELECT ${hexText(sql`pool_address`)} AS pool, protocol, fee, token_addresses AS tokens,
      units, valued, trades, accepted
      FROM (SELECT * FROM ${matches}) AS found
      LEFT JOIN (${figuresOf(snapshot, matches)}) AS day USING pool_address
      ORDER BY ${orderOf(searched)} LIMIT ${integer(most)}`,
  );
  return rows.map(({ pool, protocol, fee, tokens, ...day }) => ({
    ...{ pool, protocol, fee, tokens: knownTokens(tokens) },
    ...dayTrades(day),
  }));
}

type FoundRow = Omit<FoundPool, "tokens" | keyof DayTrades> & { tokens: string } & DayTradesRow;

/** Prints FROM and WHERE of the matching pools; null if no pool can match. */
function poolsWith({ table, commit }: Snapshot, searched: SearchText, sets: TokenSets): Sql | null {
  const isKnown = sql`first_seen_block_number <= ${integer(commit.blockNumber)}`;
  const hasTokens = sets.length > 0 && sets.every((tokens) => tokens.length > 0);
  if (!hasTokens && searched.digits === null) return null;
  const condition = hasTokens
    ? sql`((${hasAll(sets)}) OR ${isPoolWithin(searched)})`
    : isPoolWithin(searched);
  return sql`${table("pool_metadata")} WHERE ${isKnown} AND ${condition}`;
}

/**
 * Prints the condition that a pool has a token of each set. If a token is in both sets of a pair, it counts
 * for one of them only, so the pool needs a second token.
 */
function hasAll(sets: TokenSets): Sql {
  const conditions = sets.map(hasOneOf);
  if (sets.length === 1) return join(conditions);
  const wanted = textArray([...new Set(sets.flat())]);
  const hasEnough = sql`length(arrayIntersect(${POOL_TOKENS}, ${wanted})) >= ${integer(sets.length)}`;
  return join([...conditions, hasEnough], " AND ");
}

/** Prints the query for the figures of each pool. */
function figuresOf(snapshot: Snapshot, matches: Sql): Sql {
  const trades = sql`${tradesOfDay(snapshot)} AND pool_address IN (SELECT pool_address FROM ${matches})`;
  return sql`SELECT pool_address, ${printVolumeUnits(sql`swap_usd`)} AS units,
    countIf(swap_usd IS NOT NULL) AS valued, count() AS trades, countIf(is_accepted) AS accepted
    FROM (${swapsIn(trades)}) GROUP BY pool_address`;
}

function orderOf(searched: SearchText): Sql {
  const byTrading = sql`${BY_TRADING}, first_seen_block_number, pool`;
  return isWhole(searched) ? sql`${isPoolWithin(searched)} DESC, ${byTrading}` : byTrading;
}
