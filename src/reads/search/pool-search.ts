import { hexText, integer, join, type Sql, sql, textArray } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import {
  BY_TRADING,
  DAY_FIGURES,
  type DayTrades,
  type DayTradesRow,
  dayTrades,
  tradesOfDay,
} from "./day-trades.ts";
import { isPoolWithin, type SearchText } from "./search-text.ts";

/** A pool that matches a text. A swap between two tokens counts once, by the one with the higher volume. */
export interface FoundPool extends DayTrades {
  pool: Hex;
  protocol: string;
  /** Millionths; null if the pool has no fixed one. */
  fee: number | null;
  /** In the pool's order; without tokens that are not known yet. */
  tokens: Hex[];
}

/** The tokens that pools must have: one of each set. */
export type TokenSets = readonly (readonly Hex[])[];

/**
 * The pools that have a token of each set, or whose address or id begins with the text: those with accepted trades
 * first, then by the volume of 24 hours, then the older ones.
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
    sql`SELECT ${hexText(sql`pool_address`)} AS pool, protocol, fee, token_addresses AS tokens, units, trades, accepted
      FROM (SELECT * FROM ${matches}) AS found
      LEFT JOIN (SELECT pool_address, ${LARGER_SIDE} FROM (${sidesOf(snapshot, matches)}) GROUP BY pool_address) AS day
        USING pool_address
      ORDER BY ${BY_TRADING}, first_seen_block_number, pool LIMIT ${integer(most)}`,
  );
  return rows.map(({ pool, protocol, fee, tokens, ...day }) => ({
    ...{ pool, protocol, fee, tokens: tokensIn(tokens) },
    ...dayTrades(day),
  }));
}

type FoundRow = Omit<FoundPool, "tokens" | keyof DayTrades> & { tokens: string } & DayTradesRow;

/** FROM and WHERE of the pools; null if there are none. */
function poolsWith({ table, commit }: Snapshot, searched: SearchText, sets: TokenSets): Sql | null {
  const isKnown = sql`first_seen_block_number <= ${integer(commit.blockNumber)}`;
  const hasTokens = sets.length > 0 && sets.every((tokens) => tokens.length > 0);
  if (!hasTokens && searched.digits === null) return null;
  const hasAll = join(sets.map(hasOne), " AND ");
  const condition = hasTokens ? sql`((${hasAll}) OR ${isPoolWithin(searched)})` : isPoolWithin(searched);
  return sql`${table("pool_metadata")} WHERE ${isKnown} AND ${condition}`;
}

function hasOne(tokens: readonly Hex[]): Sql {
  return sql`hasAny(splitByChar(',', token_addresses), ${textArray(tokens)})`;
}

/** The trades of each pool and token. */
function sidesOf(snapshot: Snapshot, matches: Sql): Sql {
  return sql`SELECT pool_address, token_address, ${DAY_FIGURES} FROM ${tradesOfDay(snapshot)}
    AND pool_address IN (SELECT pool_address FROM ${matches}) GROUP BY pool_address, token_address`;
}

const LARGER_SIDE = sql`argMax(units, (toInt256OrZero(units), token_address)) AS units, max(trades) AS trades,
  max(accepted) AS accepted`;

function tokensIn(list: string): Hex[] {
  return list.split(",").filter((token) => token !== "") as Hex[];
}
