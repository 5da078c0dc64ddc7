import { column, nullable } from "../column.ts";
import { table } from "../table.ts";
import {
  blockHash,
  blockNumber,
  logIndex,
  recordIndex,
  timestamp,
  transactionHash,
  transactionIndex,
} from "./shared-columns.ts";
import { spamVerdict, washVerdict } from "./verdict-columns.ts";

const usdPerToken = (doc: string) => nullable("double", doc, "USD per token");

export const dexTrades = table({
  name: "dex_trades",
  doc: "DEX trades, priced in US dollars: one for each swap of a token against cash, two for any other swap.",
  columns: {
    timestamp,
    amount_eth: nullable("double", "value of the trade", "native coin"),
    amount_token: nullable(
      "double",
      "tokens traded; null if the token has no decimals(), or the amounts are unknown",
      "tokens",
    ),
    amount_usd: nullable("double", "value of the trade; null if no leg has a price", "USD"),
    amount_quote: nullable("double", "amount of the swap's other token", "quote tokens"),
    amounts_unknown_reason: nullable(
      "label",
      "why the amounts are unknown: hook_may_change_amounts or event_is_inexact; null if they are known",
    ),
    block_hash: blockHash,
    block_number: blockNumber,
    interacted_with_address: nullable("address", "`to` of the transaction"),
    log_index: logIndex,
    num_trades_1h: column("integer", "trades of the token in the last hour, including this one"),
    num_trades_24h: column("integer", "trades of the token in the last 24 hours, including this one"),
    pool_address: column("pool_id", "pool address; for Uniswap V4 the 32-byte pool id"),
    price_token_eth: nullable("double", "price of this swap", "native coin per token"),
    price_token_usd_tick_1: usdPerToken("price of this swap: amount_usd / amount_token"),
    price_token_usd_tick_100: usdPerToken("volume-weighted price of the token's last 100 trades"),
    price_token_usd_wavg_1h: usdPerToken("volume-weighted price of the last hour"),
    price_token_usd_wavg_24h: usdPerToken("volume-weighted price of the last 24 hours"),
    price_token_usd_robust_tick_1: usdPerToken(
      "price of this swap; null if it is a significant outlier or worth less than 1 USD",
    ),
    price_token_usd_robust_total_1h: usdPerToken("volume-weighted price of accepted trades in the last hour"),
    price_token_usd_robust_total_24h: usdPerToken(
      "volume-weighted price of accepted trades in the last 24 hours",
    ),
    price_token_usd_robust_buy_1h: usdPerToken("volume-weighted price of accepted buys in the last hour"),
    price_token_usd_robust_buy_24h: usdPerToken(
      "volume-weighted price of accepted buys in the last 24 hours",
    ),
    price_token_usd_robust_sell_1h: usdPerToken("volume-weighted price of accepted sells in the last hour"),
    price_token_usd_robust_sell_24h: usdPerToken(
      "volume-weighted price of accepted sells in the last 24 hours",
    ),
    price_token_usd_robust_mid_1h: usdPerToken("mean of robust_buy_1h and robust_sell_1h"),
    price_token_usd_robust_mid_24h: usdPerToken("mean of robust_buy_24h and robust_sell_24h"),
    protocol_name: column("label", "protocol of the pool"),
    quote_address: column("address", "the swap's other token"),
    record_index: recordIndex,
    side: column("label", "buy when the token left the pool, sell when it entered it"),
    token_address: column("address", "token traded"),
    token_name: nullable("label", "token name, as reported by the contract or a token list"),
    token_symbol: nullable("label", "token symbol, as reported by the contract or a token list"),
    trader_address: column("address", "sender of the transaction"),
    transaction_hash: transactionHash,
    transaction_index: transactionIndex,
    volume_1h_usd: column(
      "double",
      "value of the token's trades in the last hour, including this one; unknown values count as zero",
      "USD",
    ),
    volume_24h_usd: column(
      "double",
      "value of the token's trades in the last 24 hours, including this one; unknown values count as zero",
      "USD",
    ),
  },
  verdicts: { ...spamVerdict, ...washVerdict },
  key: ["record_index"],
  order: ["token_address", "timestamp", "record_index"],
  blockColumn: "block_number",
  partitionBy: "timestamp",
  skipIndexes: ["block_number", "transaction_hash", "pool_address", "trader_address"],
});
