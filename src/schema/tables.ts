import type { Row, Table } from "./table.ts";
import { blocks } from "./tables/blocks.ts";
import { dexTrades } from "./tables/dex-trades.ts";
import { logs } from "./tables/logs.ts";
import { poolMetadata } from "./tables/pool-metadata.ts";
import { singletonLogs } from "./tables/singleton-logs.ts";
import { tokenBalances } from "./tables/token-balances.ts";
import { tokenMetadata } from "./tables/token-metadata.ts";
import { transactions } from "./tables/transactions.ts";
import { erc20, erc721 } from "./tables/transfers.ts";
import { walletTrades } from "./tables/wallet-trades.ts";

/** Every table of a chain. Row types, DDL, SQL catalogue and OpenAPI are derived from this list. */
export const TABLES = {
  blocks,
  transactions,
  logs,
  singleton_logs: singletonLogs,
  erc20,
  erc721,
  dex_trades: dexTrades,
  wallet_trades: walletTrades,
  pool_metadata: poolMetadata,
  token_metadata: tokenMetadata,
  token_balances: tokenBalances,
} as const;

export type TableName = keyof typeof TABLES;

export type RowOf<N extends TableName> = Row<(typeof TABLES)[N]>;

/** Rows by table; a table without rows may be absent. */
export type Rows = { [N in TableName]?: RowOf<N>[] };

export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** Returns the declaration of a table without its literal types, for code that treats all tables alike. */
export function tableOf(name: TableName): Table {
  return TABLES[name];
}

/** Returns whether a table only repeats rows of another table in another order. */
export function isCopy(name: TableName): boolean {
  const { copyOf, excerptOf } = tableOf(name);
  return copyOf !== undefined || excerptOf !== undefined;
}

/** Tables that clients may query: all except the copies. */
export const PUBLIC_TABLE_NAMES = TABLE_NAMES.filter((name) => !isCopy(name));

/** For each other table, the column of `blocks` with the number of the block's rows in that table. */
export const ROW_COUNTS = {
  transactions: "transaction_count",
  logs: "log_count",
  singleton_logs: "singleton_log_count",
  erc20: "erc20_count",
  erc721: "erc721_count",
  dex_trades: "trade_count",
  wallet_trades: "trade_count",
  pool_metadata: "pool_count",
  token_metadata: "token_count",
  token_balances: "balance_count",
} as const satisfies Partial<Record<TableName, keyof RowOf<"blocks">>>;

export type CountedTable = keyof typeof ROW_COUNTS;

export const COUNTED_TABLES = Object.keys(ROW_COUNTS) as CountedTable[];
