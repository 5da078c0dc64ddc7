import type { Hex } from "../../lib/hex.ts";
import type { WindowFigures } from "../../pricing/histories/windows.ts";
import { quotient } from "../../pricing/math/bounded-value.ts";
import type { PricedTrade } from "../../pricing/price-book.ts";
import type { Block } from "../../schema/block.ts";
import type { Token } from "../../schema/swap.ts";
import type { RowOf } from "../../schema/tables.ts";

/** Makes the block's rows of `dex_trades`, in order. */
export function tradeRows(
  block: Block,
  trades: readonly PricedTrade[],
  tokenAt: (address: Hex) => Token,
): RowOf<"dex_trades">[] {
  return trades.map((priced) => tradeRow(block, priced, tokenAt(priced.token)));
}

function tradeRow(block: Block, priced: PricedTrade, token: Token): RowOf<"dex_trades"> {
  const { trade, transaction, swap, reference } = priced;
  return {
    timestamp: block.timestamp,
    amount_eth: quotient(trade.amountUsd, reference),
    amount_token: trade.amountToken,
    amount_usd: trade.amountUsd,
    amount_quote: priced.amountQuote,
    amounts_unknown_reason: swap.amountsUnknown,
    block_hash: block.hash,
    block_number: block.number,
    interacted_with_address: transaction.to,
    log_index: swap.logIndex,
    pool_address: swap.pool.address,
    price_token_eth: quotient(trade.priceTick1, reference),
    price_token_usd_tick_1: trade.priceTick1,
    price_token_usd_robust_tick_1: trade.accepted ? trade.priceTick1 : null,
    ...windowColumns(priced.windows),
    protocol_name: swap.pool.protocol,
    quote_address: trade.quote,
    record_index: trade.recordIndex,
    side: trade.side,
    token_address: priced.token,
    token_name: token.name,
    token_symbol: token.symbol,
    trader_address: transaction.from,
    transaction_hash: transaction.hash,
    transaction_index: transaction.transactionIndex,
  };
}

function windowColumns({ hour, day, lastTradesPrice }: WindowFigures) {
  return {
    num_trades_1h: hour.trades,
    num_trades_24h: day.trades,
    price_token_usd_tick_100: lastTradesPrice,
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
    volume_1h_usd: hour.volumeUsd,
    volume_24h_usd: day.volumeUsd,
  };
}
