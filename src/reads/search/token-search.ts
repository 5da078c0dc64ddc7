import { hexText, integer, sql } from "../../engine-sql/sql-text.ts";
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
import { CLOSENESS, closenessTo, isMatch, type SearchText } from "./search-text.ts";

/** A token whose symbol, name or address matches a string. */
export interface FoundToken extends DayTrades {
  token: Hex;
  symbol: string | null;
  name: string | null;
  /** One of `CLOSENESS`. */
  closeness: number;
  firstSeenBlock: number;
}

/**
 * Reads the tokens that match a string, in the order of `CLOSENESS`. Within each closeness, tokens with
 * accepted trades come first, then those with the higher 24-hour volume, then the older ones. Returns at most
 * `most` of each closeness, so that many copies of a symbol do not hide other matches.
 *
 * Reads the metadata of all tokens once to find the matches, and only the matches' trades of the last 24
 * hours.
 */
export async function readMatchingTokens(
  snapshot: Snapshot,
  searched: SearchText,
  most: number,
): Promise<FoundToken[]> {
  const matches = sql`${snapshot.table("token_metadata")}
    WHERE first_seen_block_number <= ${integer(snapshot.commit.blockNumber)} AND ${isMatch(searched)}`;
  const rows = await snapshot.query<FoundRow>(
    sql`SELECT ${hexText(sql`token_address`)} AS token, token_symbol AS symbol, token_name AS name,
      ${closenessTo(searched)} AS closeness, first_seen_block_number AS firstSeenBlock,
      units, valued, trades, accepted
      FROM (SELECT * FROM ${matches}) AS found
      LEFT JOIN (SELECT token_address, ${DAY_FIGURES} FROM ${tradesOfDay(snapshot)}
        AND token_address IN (SELECT token_address FROM ${matches}) GROUP BY token_address) AS day USING token_address
      ORDER BY closeness, ${BY_TRADING}, firstSeenBlock, token LIMIT ${integer(most)} BY closeness`,
  );
  return rows.map(({ token, symbol, name, closeness, firstSeenBlock, ...day }) => ({
    ...{ token, symbol, name, closeness, firstSeenBlock },
    ...dayTrades(day),
  }));
}

type FoundRow = Omit<FoundToken, keyof DayTrades> & DayTradesRow;

/**
 * Returns the best of the tokens that match a word: tokens whose symbol is the word, or `W` and the word. If
 * there are none, returns tokens that begin with the word.
 */
export function namedTokens(found: readonly FoundToken[], most: number): FoundToken[] {
  const symbols = found.filter(({ closeness }) => closeness === CLOSENESS.symbol);
  const named = symbols.length > 0 ? symbols : found.filter(({ closeness }) => closeness === CLOSENESS.start);
  return named.slice(0, most);
}
