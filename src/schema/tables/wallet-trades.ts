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
 * Not partitioned by month, which keeps all trades of a wallet next to each other: a read opens few parts.
 * Not a projection of dex_trades, which would be spread over the parts of every month.
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
