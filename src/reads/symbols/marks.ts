import { answerExpression } from "../../engine-sql/column-types.ts";
import { hexBytes, integer, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { tradesWith } from "../trades/trade-conditions.ts";
import type { ChartSymbol } from "./symbols.ts";

export interface MarksQuery extends Omit<ChartSymbol, "chain"> {
  /** Selects this wallet's trades; null selects the outliers of all wallets. */
  wallet: Hex | null;
  /** Bounds of the trades' times, inclusive, unix seconds. */
  from: number;
  until: number;
  /** Maximum number of trades. */
  most: number;
}

/** A trade that a chart marks. */
export interface MarkedTrade {
  recordIndex: number;
  /** Unix seconds. */
  at: number;
  side: "buy" | "sell";
  /** Price in USD per token and value in USD; null if unknown. */
  priceUsd: number | null;
  amountUsd: number | null;
  transactionHash: Hex;
}

/** Trades of a lower value are not judged by the outlier rule (docs/prices.md). */
const MIN_USD = 1;

/**
 * Reads the trades with the highest values in a period, highest first: outliers, or the trades of a wallet.
 */
export function readMarks(snapshot: Snapshot, query: MarksQuery): Promise<MarkedTrade[]> {
  const { token, pool, wallet, from, until, most } = query;
  const trades = tradesWith(snapshot, { tokens: token, pools: pool === "all" ? pool : [pool], from, until });
  const isOutlier = sql`price_token_usd_robust_tick_1 IS NULL AND price_token_usd_tick_1 IS NOT NULL
    AND ifNull(amount_usd >= ${integer(MIN_USD)}, true)`;
  const isMarked = wallet === null ? isOutlier : sql`trader_address = ${hexBytes(wallet)}`;
  return snapshot.query<MarkedTrade>(
    sql`SELECT record_index AS recordIndex, ${answerExpression("time", sql`timestamp`, "rest")} AS at, side,
      price_token_usd_tick_1 AS priceUsd, amount_usd AS amountUsd,
      ${answerExpression("hash", sql`transaction_hash`, "rest")} AS transactionHash
      FROM ${trades} AND ${isMarked} ORDER BY amount_usd DESC NULLS LAST, record_index LIMIT ${integer(most)}`,
  );
}
