import type { TokenPerformance, TopRecords, WalletTotals } from "@quarry/sdk";
import { parseTime } from "../../format/time.ts";
import { type Place, TRADES_PER_PAGE } from "../market/trade-lists.ts";
import { quarry } from "../service/client.ts";
import { liveQuery, settledQuery } from "../service/live-query.ts";
import { columnsOf, sqlText, table } from "../service/sql.ts";

/** Whose figures, and of which trades. */
export interface WalletScope {
  chain: string;
  wallet: string;
  /** As if the wallet had never traded the chain's stable coins. */
  isWithoutStable: boolean;
  /** Of a wallet with more trades than an answer takes: its newest ones count. */
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
  "amount_usd",
  "price_token_usd_tick_1",
  "pool_address",
  "transaction_hash",
] as const;

const MAX_TRANSFERS = 25;
const MAX_TRANSACTIONS = 20;

/** A wallet's figures as the API is asked for them. */
export function requestOf({ chain, wallet, isWithoutStable, isNewestOnly }: WalletScope) {
  return { chain, wallet_address: wallet, total_exclude: isWithoutStable, max_size_ok: isNewestOnly };
}

/** What a wallet made, all its tokens together; null where it has more trades than an answer takes. */
export function walletTotalsQuery(scope: WalletScope) {
  const { chain, wallet, isWithoutStable: total_exclude, isNewestOnly } = scope;
  return liveQuery(["wallet-totals", scope], async (signal): Promise<WalletTotals | null> => {
    if (isNewestOnly) {
      return (await quarry.walletPerformance(requestOf(scope), { signal })).performance;
    }
    const question = { chain, wallet_address: [wallet], total_exclude };
    const { wallets } = await quarry.walletsPerformance(question, { signal });
    return wallets[0] ?? null;
  });
}

/** What a wallet made of each of its tokens. */
export function walletTokensQuery(scope: WalletScope) {
  return liveQuery(["wallet-tokens", scope], async (signal): Promise<TokenPerformance[]> => {
    return (await quarry.walletTokens(requestOf(scope), { signal })).tokens;
  });
}

/** The newest trades of a wallet. */
export function walletTradesQuery(chain: string, wallet: string) {
  return liveQuery(["wallet-trades", chain, wallet], async (signal): Promise<WalletTrade[]> => {
    const question = { chain, groupby: "trader_address" as const, eq: [wallet], size: TRADES_PER_PAGE };
    const { groups } = await quarry.topRecords("dex-trades", question, { signal });
    return groups[wallet] ?? [];
  });
}

/** The trades of a wallet before one. */
export function olderWalletTradesQuery(chain: string, wallet: string, before: Place) {
  return settledQuery(["wallet-trades", chain, wallet, before.record_index], async (signal) => {
    const { sql } = sqlText`SELECT ${columnsOf(TRADE_COLUMNS)} FROM ${table(chain, "dex_trades")}
WHERE trader_address = ${wallet} AND record_index < ${before.record_index}
ORDER BY record_index DESC LIMIT ${TRADES_PER_PAGE}`;
    const { rows } = await quarry.sql<Omit<WalletTrade, "timestamp"> & { timestamp: string }>(sql, {
      signal,
    });
    return rows.map((row): WalletTrade => ({ ...row, timestamp: parseTime(row.timestamp) }));
  });
}

/** The newest transfers of tokens to and from a wallet. */
export function walletTransfersQuery(chain: string, wallet: string) {
  return liveQuery(["wallet-transfers", chain, wallet], async (signal): Promise<Transfer[]> => {
    const ask = async (groupby: "from_address" | "to_address") => {
      const question = { chain, groupby, eq: [wallet], size: MAX_TRANSFERS };
      return (await quarry.topRecords("erc20", question, { signal })).groups[wallet] ?? [];
    };
    const [sent, received] = await Promise.all([ask("from_address"), ask("to_address")]);
    // What a wallet sends to itself is in both.
    const both = new Map([...sent, ...received].map((transfer) => [transfer.record_index, transfer]));
    const newestFirst = [...both.values()].toSorted((a, b) => b.record_index - a.record_index);
    return newestFirst.slice(0, MAX_TRANSFERS);
  });
}

/** The newest transactions that a wallet sent. */
export function walletTransactionsQuery(chain: string, wallet: string) {
  return liveQuery(["wallet-transactions", chain, wallet], async (signal): Promise<Transaction[]> => {
    const question = { chain, groupby: "from_address" as const, eq: [wallet], size: MAX_TRANSACTIONS };
    return (await quarry.topRecords("transactions", question, { signal })).groups[wallet] ?? [];
  });
}
