import { double, hexBytesArray, integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { VerdictContext } from "./spam.ts";

/**
 * DefiLlama's test for wash trading in a pool on a UTC day (getWashPools in helpers/uniswap.ts of
 * dimension-adapters, August 2026). Traders are the senders of transactions. docs/verdicts.md compares it
 * with recorded days.
 */
export const WASH = {
  /** First test: minimum numbers of trades, in total and per trader. */
  minTrades: 500,
  tradesPerTrader: 100,
  /**
   * Second test: minimum values of trades in USD, in total and per trader, and minimum number of trades per
   * trader.
   */
  minUsd: 1_000_000,
  usdPerTrader: 500_000,
  minTradesPerTrader: 30,
  /** A day whose trades are worth less than this in total is never flagged. */
  dustUsd: 25_000,
} as const;

const CENTS = 100;
/**
 * Maximum value of a swap, in USD. Higher values count as this much, which keeps the sums of a day below 2^64
 * cents.
 */
const MAX_SWAP_USD = 1e12;

/**
 * Prints a query for the pools and days with wash trades, as `judged_pool` and `judged_day`, and the test
 * that found them, as `wash_reason`. A swap between two tokens has two rows but counts once. Values are
 * summed in cents, because the sum of doubles depends on their order.
 */
export function washedPoolDays(context: VerdictContext): Sql {
  const listed = hexBytesArray(context.listedTokens, 20);
  const usd = (amount: number) => integer(amount * CENTS);
  const byTrades = sql`trades >= ${integer(WASH.minTrades)} AND trades >= ${integer(WASH.tradesPerTrader)} * traders`;
  const byUsd = sql`ifNull(cents, 0) >= ${usd(WASH.minUsd)} AND ifNull(cents, 0) >= ${usd(WASH.usdPerTrader)} * traders
    AND trades >= ${integer(WASH.minTradesPerTrader)} * traders`;
  return sql`SELECT judged_pool, judged_day,
      toNullable(if(${byTrades}, 'trades_per_trader', 'usd_per_trader')) AS wash_reason
    FROM (SELECT judged_pool, judged_day, count() AS trades, uniqExact(trader) AS traders, sumOrNull(swap_cents) AS cents,
        max(is_unlisted) AS has_unlisted
      FROM (${swaps(context, listed)}) GROUP BY judged_pool, judged_day)
    WHERE has_unlisted AND ((${byTrades}) OR (${byUsd})) AND ifNull(cents >= ${usd(WASH.dustUsd)}, true)`;
}

function swaps({ engineTable, bound, isRelevant }: VerdictContext, listed: Sql): Sql {
  const usd = sql`max(_facts.amount_usd)`;
  const most = double(MAX_SWAP_USD);
  return sql`SELECT _facts.pool_address AS judged_pool, toStartOfDay(_facts.timestamp) AS judged_day,
      any(_facts.trader_address) AS trader,
      toUInt64(round(if(${usd} > ${most}, ${most}, ${usd}) * ${integer(CENTS)})) AS swap_cents,
      max(NOT has(${listed}, _facts.token_address) OR NOT has(${listed}, _facts.quote_address)) AS is_unlisted
    FROM ${engineTable("dex_trades")} AS _facts
    WHERE _facts.block_number <= ${integer(bound)} AND ${isRelevant(sql`_facts`)}
    GROUP BY _facts.pool_address, toStartOfDay(_facts.timestamp), _facts.block_number, _facts.log_index`;
}
