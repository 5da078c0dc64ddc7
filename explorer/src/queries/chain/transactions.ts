import { quarry } from "../service/client.ts";
import { liveQuery, settledQuery } from "../service/live-query.ts";
import { type SqlText, sqlText, table } from "../service/sql.ts";
import type { SqlRow } from "../service/sql-row.ts";
import { readSymbols } from "../token/symbols.ts";

export type Transaction = SqlRow<"transactions">;
export type Swap = SqlRow<"dex-trades">;
export type Transfer = SqlRow<"erc20">;
export type NftTransfer = SqlRow<"erc721">;
export type Log = SqlRow<"logs">;

/** The block, or the transaction of a block, whose rows a query reads. */
export interface RecordScope {
  chain: string;
  block_number: number;
  /** Time of the block. Rows are ordered by time, so the service need not read most of them. */
  timestamp: string;
  /** Absent for all transactions of the block. */
  transaction_hash?: string;
  /** Whether the block is final: no reorg can change its rows. */
  isFinal: boolean;
}

/** Maximum number of rows on a page. */
export const PAGE_ROWS = 50;

/** Reads a transaction by its hash; null if it is not indexed. */
export function transactionQuery(chain: string, hash: string) {
  const from = table(chain, "transactions");
  const { sql } = sqlText`SELECT * FROM ${from} WHERE transaction_hash = ${hash} LIMIT 1`;
  return liveQuery(["transaction", chain, hash], async (signal): Promise<Transaction | null> => {
    const { rows } = await quarry.sql<Transaction>(sql, { signal });
    return rows[0] ?? null;
  });
}

/** The block in which a transaction traded. */
export type TradedAt = Pick<RecordScope, "block_number" | "timestamp">;

/** Finds the block in which a transaction traded; null if it has no indexed trade. */
export function tradedAtQuery(chain: string, hash: string) {
  const { sql } = sqlText`SELECT block_number, timestamp FROM ${table(chain, "dex_trades")}
WHERE transaction_hash = ${hash} LIMIT 1`;
  return liveQuery(["traded at", chain, hash], async (signal): Promise<TradedAt | null> => {
    const { rows } = await quarry.sql<TradedAt>(sql, { signal });
    return rows[0] ?? null;
  });
}

export const transactionsQuery = (scope: RecordScope, page: number) =>
  pageQuery<Transaction>({ scope, page, name: "transactions" });

export const swapsQuery = (scope: RecordScope, page: number) =>
  pageQuery<Swap>({ scope, page, name: "dex_trades" });

export const transfersQuery = (scope: RecordScope, page: number) =>
  pageQuery<Transfer>({ scope, page, name: "erc20" });

export const nftTransfersQuery = (scope: RecordScope, page: number) =>
  pageQuery<NftTransfer>({ scope, page, name: "erc721" });

export const logsQuery = (scope: RecordScope, page: number) => pageQuery<Log>({ scope, page, name: "logs" });

/** Reads the symbols of tokens, by address. */
export function symbolsQuery(chain: string, addresses: readonly string[]) {
  const tokens = [...new Set(addresses)].sort();
  return settledQuery(["symbols", chain, tokens], (signal) => readSymbols(chain, tokens, signal));
}

export interface Page<Row> {
  rows: Row[];
  /** Whether another page follows. */
  hasMore: boolean;
}

interface PageOptions {
  scope: RecordScope;
  /** Number of the page, from 0. */
  page: number;
  name: string;
}

/** Reads a page of a table's rows that belong to a block or transaction, in chain order. */
function pageQuery<Row extends object>({ scope, page, name }: PageOptions) {
  const { sql } =
    sqlText`SELECT * FROM ${table(scope.chain, name)} WHERE ${conditionOf(scope)} ORDER BY record_index LIMIT ${PAGE_ROWS + 1} OFFSET ${page * PAGE_ROWS}`;
  const { isFinal, ...key } = scope;
  const query = isFinal ? settledQuery : liveQuery;
  return query([name, key, page], async (signal): Promise<Page<Row>> => {
    const { rows } = await quarry.sql<Row>(sql, { signal });
    return { rows: rows.slice(0, PAGE_ROWS), hasMore: rows.length > PAGE_ROWS };
  });
}

function conditionOf({ block_number, timestamp, transaction_hash }: RecordScope): SqlText {
  const inBlock = sqlText`block_number = ${block_number} AND timestamp = ${timestamp}`;
  if (transaction_hash === undefined) return inBlock;
  return sqlText`${inBlock} AND transaction_hash = ${transaction_hash}`;
}
