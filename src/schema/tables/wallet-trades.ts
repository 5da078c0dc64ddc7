import { table } from "../table.ts";
import { dexTrades } from "./dex-trades.ts";

const {
  trader_address,
  record_index,
  block_number,
  timestamp,
  token_address,
  side,
  amount_token,
  amount_usd,
} = dexTrades.columns;

/**
 * Not by month: the trades of a wallet lie side by side over all time, so that few parts are looked into. Not a
 * projection of dex_trades: that would lie in each part of each month.
 */
export const walletTrades = table({
  name: "wallet_trades",
  doc: "The trades of each wallet, ordered by wallet.",
  columns: {
    trader_address,
    record_index,
    block_number,
    timestamp,
    token_address,
    side,
    amount_token,
    amount_usd,
  },
  key: ["record_index"],
  order: ["trader_address", "record_index"],
  blockColumn: "block_number",
  skipIndexes: ["block_number"],
  copyOf: "dex_trades",
  rowsPerMark: 512,
});
