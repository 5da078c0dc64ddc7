import { identifier, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { engineTable } from "../tables/ddl.ts";

/** Which trades stand out in the history of a token: the first, highest, lowest and last price; of equal prices the first. */
export const PRICE_EXTREMES = ["opened", "highest", "lowest", "closed"] as const;

export type PriceExtreme = (typeof PRICE_EXTREMES)[number];

/** Columns of both kinds of rows below; of the rows of a token and extreme the one of the highest rank counts. */
export const EXTREME_COLUMNS = sql`extreme, token_address, price, price_eth, traded_at, block_number, transaction_hash, rank`;

interface ExtremeQuestion {
  chain: string;
  priceType: string;
  extremes: readonly PriceExtreme[];
  /** Which trades are looked at. */
  condition: Sql;
}

/** Every trade that has a price, as a row of each extreme: the rank tells which counts. */
export function extremeCandidates({ chain, priceType, extremes, condition }: ExtremeQuestion): Sql {
  const price = sql`assumeNotNull(${identifier(priceType)})`;
  const marks = extremes.map((extreme) => sql`(${text(extreme)}, ${rankOf(extreme, price)})`);
  return sql`SELECT tupleElement(mark, 1) AS extreme, token_address, ${price} AS price, price_token_eth AS price_eth,
    timestamp AS traded_at, block_number, transaction_hash, tupleElement(mark, 2) AS rank
    FROM (SELECT *, arrayJoin([${join(marks)}]) AS mark FROM ${engineTable(chain, "dex_trades")}
      WHERE ${condition} AND ${identifier(priceType)} IS NOT NULL)`;
}

/**
 * The same, but only of the trades that stand out for their token: of many trades a few, whose keys are found first,
 * because rows are wide.
 */
export function extremePrices(question: ExtremeQuestion): Sql {
  const { chain, priceType, extremes, condition } = question;
  const column = identifier(priceType);
  const ranks = extremes.map((extreme) => rankOf(extreme, sql`assumeNotNull(${column})`));
  const places = ranks.map((rank) => sql`(argMax(timestamp, ${rank}), argMax(record_index, ${rank}))`);
  const winners = sql`SELECT token_address, tupleElement(place, 1), tupleElement(place, 2)
    FROM (SELECT token_address, arrayJoin(arrayDistinct([${join(places)}])) AS place
      FROM ${engineTable(chain, "dex_trades")} WHERE ${condition} AND ${column} IS NOT NULL GROUP BY token_address)`;
  const isWinner = sql`(token_address, timestamp, record_index) IN (${winners})`;
  return extremeCandidates({ ...question, condition: sql`${condition} AND ${isWinner}` });
}

/** What is left of such rows: one for each token and extreme. */
export const HIGHEST_RANK = sql`ORDER BY rank DESC LIMIT 1 BY extreme, token_address`;

/**
 * Higher for the trade that counts. Prices are positive, so their bits are in their order: a price and the place in
 * the chain make one number.
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
