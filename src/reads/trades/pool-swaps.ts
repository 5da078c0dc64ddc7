import { type Sql, sql } from "../../engine-sql/sql-text.ts";

/**
 * Selects the swaps of these trades, with the columns pool_address, swap_usd, trader_address and is_accepted.
 * A swap has a row in dex_trades for each of its two tokens but is counted once, with the higher of the two
 * values.
 *
 * @param trades FROM and WHERE of the rows of dex_trades
 */
export function swapsIn(trades: Sql): Sql {
  return sql`SELECT pool_address, max(amount_usd) AS swap_usd, any(trader_address) AS trader_address,
    max(price_token_usd_robust_tick_1 IS NOT NULL) AS is_accepted
    FROM ${trades} GROUP BY pool_address, block_number, log_index`;
}
