import { identifier, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { engineTable } from "../tables/ddl.ts";

/** A token's first, highest, lowest and last priced trade; among equal prices, the first trade. */
export const PRICE_EXTREMES = ["opened", "highest", "lowest", "closed"] as const;

export type PriceExtreme = (typeof PRICE_EXTREMES)[number];

/**
 * Columns of the rows that the functions below select. Of the rows with the same token and extreme, only the
 * one with the highest rank is used.
 */
export const EXTREME_COLUMNS = sql`extreme, token_address, price, price_eth, traded_at, block_number, transaction_hash, rank`;

interface ExtremesOptions {
  chain: string;
  priceType: string;
  extremes: readonly PriceExtreme[];
  /** Selects the trades. */
  condition: Sql;
}

/**
 * Prints the query for every trade with a price, as a candidate for each extreme, with its rank for that
 * extreme.
 */
export function extremeCandidates({ chain, priceType, extremes, condition }: ExtremesOptions): Sql {
  const price = sql`assumeNotNull(${identifier(priceType)})`;
  const marks = extremes.map((extreme) => sql`(${text(extreme)}, ${rankOf(extreme, price)})`);
  return sql`SELECT tupleElement(mark, 1) AS extreme, token_address, ${price} AS price, price_token_eth AS price_eth,
    timestamp AS traded_at, block_number, transaction_hash, tupleElement(mark, 2) AS rank
    FROM (SELECT *, arrayJoin([${join(marks)}]) AS mark FROM ${engineTable(chain, "dex_trades")}
      WHERE ${condition} AND ${identifier(priceType)} IS NOT NULL)`;
}

/**
 * Like `extremeCandidates`, but only for trades that win. Their keys are found first, because rows are wide.
 */
export function extremePrices(options: ExtremesOptions): Sql {
  const { chain, priceType, extremes, condition } = options;
  const column = identifier(priceType);
  const ranks = extremes.map((extreme) => rankOf(extreme, sql`assumeNotNull(${column})`));
  const keys = ranks.map((rank) => sql`(argMax(timestamp, ${rank}), argMax(record_index, ${rank}))`);
  const winners = sql`SELECT token_address, tupleElement(key, 1), tupleElement(key, 2)
    FROM (SELECT token_address, arrayJoin(arrayDistinct([${join(keys)}])) AS key
      FROM ${engineTable(chain, "dex_trades")} WHERE ${condition} AND ${column} IS NOT NULL GROUP BY token_address)`;
  const isWinner = sql`(token_address, timestamp, record_index) IN (${winners})`;
  return extremeCandidates({ ...options, condition: sql`${condition} AND ${isWinner}` });
}

/** Clauses that keep the row with the highest rank for each token and extreme. */
export const HIGHEST_RANK = sql`ORDER BY rank DESC LIMIT 1 BY extreme, token_address`;

/**
 * Prints the rank of a trade; the trade with the highest rank wins. The bits of positive doubles sort like
 * their values, so price and record_index can be combined into one number.
 */
function rankOf(extreme: PriceExtreme, price: Sql): Sql {
  const bits = sql`reinterpretAsUInt64(${price})`;
  const earlier = sql`toUInt128(bitNot(record_index))`;
  const first = (of: Sql) => sql`bitOr(bitShiftLeft(toUInt128(${of}), 64), ${earlier})`;
  switch (extreme) {
    case "opened":
      return earlier;
    case "highest":
      return first(bits);
    case "lowest":
      return first(sql`bitNot(${bits})`);
    case "closed":
      return sql`toUInt128(record_index)`;
  }
}
