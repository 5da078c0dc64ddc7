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

/** A token whose symbol, name or address matches a text. */
export interface FoundToken extends DayTrades {
  token: Hex;
  symbol: string | null;
  name: string | null;
  /** One of `CLOSENESS`. */
  closeness: number;
  firstSeenBlock: number;
}

/**
 * The tokens that match a text, best first: those whose symbol it is, those that begin with it, those that contain it;
 * among equals those with accepted trades, then with the higher volume of 24 hours, then the older ones. At most
 * `most` of each closeness, so that many copies of a symbol do not hide other matches.
 *
 * Reads the metadata of all tokens once for the matches, and of the last 24 hours the trades of these.
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
      ${closenessTo(searched)} AS closeness, first_seen_block_number AS firstSeenBlock, units, trades, accepted
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

/** The best of the tokens that match a word: all that have it as their symbol, or else all that begin with it. */
export function namedTokens(found: readonly FoundToken[], most: number): FoundToken[] {
  const symbols = found.filter(({ closeness }) => closeness === CLOSENESS.symbol);
  const named = symbols.length > 0 ? symbols : found.filter(({ closeness }) => closeness === CLOSENESS.start);
  return named.slice(0, most);
}
