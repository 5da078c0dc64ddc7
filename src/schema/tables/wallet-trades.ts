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
 * This table is not partitioned by month, so all trades of a wallet are next to each other, and a read opens
 * few parts. It is not a projection of dex_trades either, because a projection would be spread over the parts
 * of every month.
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
