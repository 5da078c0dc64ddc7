import { MAX_TIMESTAMP } from "../../engine-sql/column-types.ts";
import {
  hexBytes,
  hexBytesArray,
  identifier,
  integer,
  join,
  type Sql,
  sql,
  time,
} from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { PriceType } from "../../schema/trade-price.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { isHonest } from "./wash-trades.ts";

/**
 * Name of the list of tokens that `withTokenList` defines, so that the engine parses a long list once instead
 * of at each use.
 */
export const TOKEN_LIST = "token_list";

type AmongTokens = Hex | readonly Hex[] | typeof TOKEN_LIST;

/** Prints the start of a statement whose conditions use `TOKEN_LIST`. */
export function withTokenList(tokens: readonly Hex[]): Sql {
  return sql`WITH token_list AS (SELECT arrayJoin(${hexBytesArray(tokens, 20)}))`;
}

/** The trades that a query reads. Times are unix seconds, both ends inclusive. */
interface TradeConditions {
  tokens: AmongTokens;
  pools?: readonly Hex[] | "all";
  from?: number;
  until?: number;
  /** Only trades that have a price of this type. */
  priced?: PriceType;
  /** Excludes trades with a wash verdict. Default: false. */
  excludeWash?: boolean;
}

/**
 * Prints FROM and WHERE of the rows of dex_trades that meet the conditions, as `trades`, up to the snapshot's
 * block.
 */
export function tradesWith(snapshot: Snapshot, conditions: TradeConditions): Sql {
  const { tokens, pools = "all", from = 0, until = MAX_TIMESTAMP, priced, excludeWash = false } = conditions;
  const all = [ofTokens(tokens), sql`trades.block_number <= ${integer(snapshot.commit.blockNumber)}`];
  // No row has a later time, and the engine cannot represent one.
  if (from > MAX_TIMESTAMP) all.push(sql`0`);
  else if (from > 0) all.push(sql`trades.timestamp >= ${time(from)}`);
  if (until < MAX_TIMESTAMP) all.push(sql`trades.timestamp <= ${time(until)}`);
  if (pools !== "all") all.push(sql`trades.pool_address IN (${join(pools.map(hexBytes))})`);
  if (priced !== undefined) all.push(sql`${identifier(priced)} IS NOT NULL`);
  const rows = sql`${snapshot.table("dex_trades")} AS trades WHERE ${join(all, " AND ")}`;
  return excludeWash ? sql`${rows} AND ${isHonest(snapshot, { rows, as: sql`trades` })}` : rows;
}

/** Prints a condition that is true for the rows of one token, or of several. */
export function ofTokens(tokens: AmongTokens): Sql {
  if (tokens === TOKEN_LIST) return sql`token_address IN token_list`;
  return typeof tokens === "string"
    ? sql`token_address = ${hexBytes(tokens)}`
    : sql`token_address IN (SELECT arrayJoin(${hexBytesArray(tokens, 20)}))`;
}

/**
 * A condition that selects the rows of the tokens in `TOKEN_LIST` without using the index by token. Use it in
 * statements in which another condition leaves few rows: that condition finds the rows faster, because a busy
 * token has rows in every granule.
 */
export const IN_TOKEN_LIST_UNINDEXED = sql`materialize(token_address) IN token_list`;
