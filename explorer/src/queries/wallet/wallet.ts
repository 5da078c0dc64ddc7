import type { TokenPerformance, TopRecords, WalletTotals } from "@quarry/sdk";
import { parseTime } from "../../format/time.ts";
import { TRADES_PER_PAGE, type TradeCursor } from "../market/trade-lists.ts";
import { quarry } from "../service/client.ts";
import { liveQuery, settledQuery } from "../service/live-query.ts";
import { columnsOf, sqlText, table } from "../service/sql.ts";

/** A wallet, and which of its trades count. */
export interface WalletScope {
  chain: string;
  wallet: string;
  /** Ignores trades of the chain's stablecoins. */
  excludesStablecoins: boolean;
  /** For wallets with more trades than the API's limit: counts only the newest ones. */
  isNewestOnly: boolean;
}

type AnyTrade = TopRecords<"dex-trades">["groups"][string][number];
export type WalletTrade = Pick<AnyTrade, (typeof TRADE_COLUMNS)[number]>;
export type Transfer = TopRecords<"erc20">["groups"][string][number];
export type Transaction = TopRecords<"transactions">["groups"][string][number];

const TRADE_COLUMNS = [
  "record_index",
  "timestamp",
  "side",
  "token_address",
  "token_symbol",
  "amount_token",
  "amounts_unknown_reason",
  "amount_usd",
  "price_token_usd_tick_1",
  "pool_address",
  "transaction_hash",
] as const;

const MAX_TRANSFERS = 25;
const MAX_TRANSACTIONS = 20;

/** Returns the API's parameters for a wallet's performance. */
export function performanceParameters({ chain, wallet, excludesStablecoins, isNewestOnly }: WalletScope) {
  return { chain, wallet_address: wallet, total_exclude: excludesStablecoins, max_size_ok: isNewestOnly };
}

/** Reads a wallet's performance over all tokens; null if it has more trades than the API's limit. */
export function walletTotalsQuery(scope: WalletScope) {
  const { chain, wallet, excludesStablecoins: total_exclude, isNewestOnly } = scope;
  return liveQuery(["wallet-totals", scope], async (signal): Promise<WalletTotals | null> => {
    if (isNewestOnly) {
      return (await quarry.walletPerformance(performanceParameters(scope), { signal })).performance;
    }
    const parameters = { chain, wallet_address: [wallet], total_exclude };
    const { wallets } = await quarry.walletsPerformance(parameters, { signal });
    return wallets[0] ?? null;
  });
}

/** Reads a wallet's performance per token. */
export function walletTokensQuery(scope: WalletScope) {
  return liveQuery(["wallet-tokens", scope], async (signal): Promise<TokenPerformance[]> => {
    return (await quarry.walletTokens(performanceParameters(scope), { signal })).tokens;
  });
}

/** Reads the latest trades of a wallet. */
export function walletTradesQuery(chain: string, wallet: string) {
  return liveQuery(["wallet-trades", chain, wallet], async (signal): Promise<WalletTrade[]> => {
    const parameters = { chain, groupby: "trader_address" as const, eq: [wallet], size: TRADES_PER_PAGE };
    const { groups } = await quarry.topRecords("dex-trades", parameters, { signal });
    return groups[wallet] ?? [];
  });
}

/** Reads the trades of a wallet before a cursor. They are read again after each rollback. */
export function olderWalletTradesQuery(
  { chain, wallet }: Pick<WalletScope, "chain" | "wallet">,
  before: TradeCursor,
  rollbacks: number,
) {
  return settledQuery(["wallet-trades", chain, wallet, before.record_index, rollbacks], async (signal) => {
    const { sql } = sqlText`SELECT ${columnsOf(TRADE_COLUMNS)} FROM ${table(chain, "dex_trades")}
WHERE trader_address = ${wallet} AND record_index < ${before.record_index}
ORDER BY record_index DESC LIMIT ${TRADES_PER_PAGE}`;
    const { rows } = await quarry.sql<Omit<WalletTrade, "timestamp"> & { timestamp: string }>(sql, {
      signal,
    });
    return rows.map((row): WalletTrade => ({ ...row, timestamp: parseTime(row.timestamp) }));
  });
}

/** Reads the latest token transfers to and from a wallet. */
export function walletTransfersQuery(chain: string, wallet: string) {
  return liveQuery(["wallet-transfers", chain, wallet], async (signal): Promise<Transfer[]> => {
    const read = async (groupby: "from_address" | "to_address") => {
      const parameters = { chain, groupby, eq: [wallet], size: MAX_TRANSFERS };
      return (await quarry.topRecords("erc20", parameters, { signal })).groups[wallet] ?? [];
    };
    const [sent, received] = await Promise.all([read("from_address"), read("to_address")]);
    // A transfer from the wallet to itself is in both lists.
    const merged = new Map([...sent, ...received].map((transfer) => [transfer.record_index, transfer]));
    const newestFirst = [...merged.values()].toSorted((a, b) => b.record_index - a.record_index);
    return newestFirst.slice(0, MAX_TRANSFERS);
  });
}

/** Reads the latest transactions that a wallet sent. */
export function walletTransactionsQuery(chain: string, wallet: string) {
  return liveQuery(["wallet-transactions", chain, wallet], async (signal): Promise<Transaction[]> => {
    const parameters = { chain, groupby: "from_address" as const, eq: [wallet], size: MAX_TRANSACTIONS };
    return (await quarry.topRecords("transactions", parameters, { signal })).groups[wallet] ?? [];
  });
}
