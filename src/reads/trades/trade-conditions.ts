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
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { PriceType } from "./trade-price.ts";

/** Stands for the tokens of a statement that begins with `askedTokens`: a long list is read once, not at each use. */
export const ASKED = "asked";

type AmongTokens = Hex | readonly Hex[] | typeof ASKED;

/** What a statement begins with whose conditions are about the tokens `ASKED`. */
export function askedTokens(tokens: readonly Hex[]): Sql {
  return sql`WITH asked AS (SELECT arrayJoin(${hexBytesArray(tokens, 20)}))`;
}

/** Which trades a question is about. Times are unix seconds, both ends inclusive. */
interface TradeConditions {
  tokens: AmongTokens;
  pools?: readonly Hex[] | "all";
  from?: number;
  until?: number;
  /** Only trades that have a price of this type. */
  priced?: PriceType;
}

/**
 * The rows of dex_trades that a question is about, `trades`, never above the block that its answer is as of:
 * what follows FROM in a query.
 */
export function tradesWith(snapshot: Snapshot, conditions: TradeConditions): Sql {
  const { tokens, pools = "all", from = 0, until = MAX_TIMESTAMP, priced } = conditions;
  const all = [ofTokens(tokens), sql`trades.block_number <= ${integer(snapshot.commit.blockNumber)}`];
  if (from > 0) all.push(sql`trades.timestamp >= ${time(from)}`);
  if (until < MAX_TIMESTAMP) all.push(sql`trades.timestamp <= ${time(until)}`);
  if (pools !== "all") all.push(sql`trades.pool_address IN (${join(pools.map(hexBytes))})`);
  if (priced !== undefined) all.push(sql`${identifier(priced)} IS NOT NULL`);
  return sql`${snapshot.table("dex_trades")} AS trades WHERE ${join(all, " AND ")}`;
}

/** True for the rows of a token, or of several. */
export function ofTokens(tokens: AmongTokens): Sql {
  if (tokens === ASKED) return sql`token_address IN asked`;
  return typeof tokens === "string"
    ? sql`token_address = ${hexBytes(tokens)}`
    : sql`token_address IN (SELECT arrayJoin(${hexBytesArray(tokens, 20)}))`;
}

/**
 * True for the rows of the tokens `ASKED`, where another condition leaves few rows: that finds them sooner than their
 * tokens, which have a row in every granule, would.
 */
export const FEW_OF_ASKED = sql`materialize(token_address) IN asked`;
