import type { Hex } from "../lib/hex.ts";
import type { Block, Transaction } from "../schema/block.ts";
import type { Swap, Token } from "../schema/swap.ts";
import type { RowOf } from "../schema/tables.ts";
import { quotient } from "./bounded-value.ts";
import type { PastTrade } from "./histories/past-trade.ts";
import type { TokenWindows } from "./histories/windows.ts";

/** A trade with its place, value and verdict: all of its row but what its windows and its token tell. */
export interface PricedTrade extends PastTrade {
  token: Hex;
  amountQuote: number | null;
  /** USD per native coin in force. */
  reference: number | null;
}

interface TradeSurroundings {
  block: Block;
  transaction: Transaction;
  swap: Swap;
  token: Token;
  /** The token's windows, this trade included. */
  windows: TokenWindows;
}

/** The row of a trade. */
export function tradeRow(trade: PricedTrade, around: TradeSurroundings): RowOf<"dex_trades"> {
  const { block, transaction, swap, token } = around;
  return {
    timestamp: block.timestamp,
    amount_eth: quotient(trade.amountUsd, trade.reference),
    amount_token: trade.amountToken,
    amount_usd: trade.amountUsd,
    amount_quote: trade.amountQuote,
    block_hash: block.hash,
    block_number: block.number,
    interacted_with_address: transaction.to,
    log_index: swap.logIndex,
    pool_address: swap.pool.address,
    price_token_eth: quotient(trade.priceTick1, trade.reference),
    price_token_usd_tick_1: trade.priceTick1,
    price_token_usd_robust_tick_1: trade.accepted ? trade.priceTick1 : null,
    ...windowColumns(around.windows),
    protocol_name: swap.pool.protocol,
    quote_address: trade.quote,
    record_index: trade.recordIndex,
    side: trade.side,
    token_address: trade.token,
    token_name: token.name,
    token_symbol: token.symbol,
    trader_address: transaction.from,
    transaction_hash: transaction.hash,
    transaction_index: transaction.transactionIndex,
  };
}

function windowColumns(windows: TokenWindows) {
  const hour = windows.hour.prices();
  const day = windows.day.prices();
  return {
    num_trades_1h: windows.hour.count,
    num_trades_24h: windows.day.count,
    price_token_usd_tick_100: windows.lastTradesPrice(),
    price_token_usd_wavg_1h: hour.all,
    price_token_usd_wavg_24h: day.all,
    price_token_usd_robust_total_1h: hour.total,
    price_token_usd_robust_total_24h: day.total,
    price_token_usd_robust_buy_1h: hour.buy,
    price_token_usd_robust_buy_24h: day.buy,
    price_token_usd_robust_sell_1h: hour.sell,
    price_token_usd_robust_sell_24h: day.sell,
    price_token_usd_robust_mid_1h: hour.mid,
    price_token_usd_robust_mid_24h: day.mid,
    volume_1h_usd: windows.hour.volume(),
    volume_24h_usd: windows.day.volume(),
  };
}
