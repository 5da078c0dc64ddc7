import { quarry } from "./client.ts";
import { liveQuestion, settledQuestion } from "./live.ts";
import { listOf, type SqlText, sqlText, table } from "./sql-text.ts";

/** Numbers are strings where they are beyond 2^53. */
export interface Transaction {
  timestamp: string;
  block_number: number;
  block_hash: string;
  transaction_hash: string;
  transaction_index: number;
  from_address: string;
  /** Null where a contract is created. */
  to_address: string | null;
  contract_address: string | null;
  value_base: string;
  value_eth: number;
  nonce: number;
  input: string;
  method_id: string | null;
  type: number;
  gas_limit: number;
  gas_used: number;
  gas_price: number | string;
  max_fee_per_gas: number | string | null;
  max_priority_fee_per_gas: number | string | null;
  transaction_fee_eth: number;
  transaction_fee_usd: number | null;
  /** 1 success, 0 failed, null before Byzantium. */
  status: number | null;
}

export interface Swap {
  record_index: number | string;
  log_index: number;
  transaction_hash: string;
  side: "buy" | "sell";
  token_address: string;
  token_symbol: string | null;
  quote_address: string;
  amount_token: number | null;
  amount_quote: number | null;
  amount_usd: number | null;
  price_token_usd_tick_1: number | null;
  /** Null where the trade does not count into the robust price. */
  price_token_usd_robust_tick_1: number | null;
  pool_address: string;
  protocol_name: string;
  trader_address: string;
}

export interface Transfer {
  record_index: number | string;
  log_index: number;
  transaction_hash: string;
  from_address: string;
  to_address: string;
  token_address: string;
  token_symbol: string | null;
  value_base: string;
  value_token: number | null;
  value_usd: number | null;
}

export interface NftTransfer {
  record_index: number | string;
  log_index: number;
  transaction_hash: string;
  from_address: string;
  to_address: string;
  token_address: string;
  token_symbol: string | null;
  token_id: string;
}

export interface Log {
  log_index: number;
  address: string;
  topic_0: string | null;
  topic_1: string | null;
  topic_2: string | null;
  topic_3: string | null;
  data: string;
}

/** What rows belong to: a block, or one of its transactions. */
export interface Scope {
  chain: string;
  block_number: number;
  /** Of the block. Rows are kept by time, so that it spares the service most of them. */
  timestamp: string;
  /** Absent: of all the block's transactions. */
  transaction_hash?: string;
  /** No reorg will change them any more. */
  isFinal: boolean;
}

/** Rows of one answer; there may be more. */
export const PAGE_ROWS = 50;

/** A transaction by its hash, which an index of hashes finds; null where the index has none. */
export function transactionQuestion(chain: string, hash: string) {
  const from = table(chain, "transactions");
  const { sql } = sqlText`SELECT * FROM ${from} WHERE transaction_hash = ${hash} LIMIT 1`;
  return liveQuestion(["transaction", chain, hash], async (signal): Promise<Transaction | null> => {
    const { rows } = await quarry.sql<Transaction>(sql, { signal });
    return rows[0] ?? null;
  });
}

export const transactionsQuestion = (scope: Scope, page: number) =>
  pageQuestion<Transaction>({ scope, page, name: "transactions" });

export const swapsQuestion = (scope: Scope, page: number) =>
  pageQuestion<Swap>({ scope, page, name: "dex_trades" });

export const transfersQuestion = (scope: Scope, page: number) =>
  pageQuestion<Transfer>({ scope, page, name: "erc20" });

export const nftTransfersQuestion = (scope: Scope, page: number) =>
  pageQuestion<NftTransfer>({ scope, page, name: "erc721" });

export const logsQuestion = (scope: Scope, page: number) => pageQuestion<Log>({ scope, page, name: "logs" });

/** The symbols of some tokens, by their addresses: of those that tell one. */
export function symbolsQuestion(chain: string, addresses: readonly string[]) {
  const tokens = [...new Set(addresses)].sort().slice(0, PAGE_ROWS);
  const { sql } =
    sqlText`SELECT token_address, token_symbol FROM ${table(chain, "token_metadata")} WHERE token_address IN (${listOf(tokens)}) LIMIT ${PAGE_ROWS}`;
  return settledQuestion(["symbols", chain, tokens], async (signal) => {
    if (tokens.length === 0) return new Map<string, string | null>();
    const { rows } = await quarry.sql<{ token_address: string; token_symbol: string | null }>(sql, {
      signal,
    });
    return new Map(rows.map(({ token_address, token_symbol }) => [token_address, token_symbol]));
  });
}

export interface Page<Row> {
  rows: Row[];
  /** There is another page behind it. */
  hasMore: boolean;
}

interface PageOptions {
  scope: Scope;
  /** From 0. */
  page: number;
  name: string;
}

/** The rows of a table that belong to a block or transaction, in the order of the chain, a page at a time. */
function pageQuestion<Row extends object>({ scope, page, name }: PageOptions) {
  const { sql } =
    sqlText`SELECT * FROM ${table(scope.chain, name)} WHERE ${conditionOf(scope)} ORDER BY record_index LIMIT ${PAGE_ROWS + 1} OFFSET ${page * PAGE_ROWS}`;
  const { isFinal, ...key } = scope;
  const question = isFinal ? settledQuestion : liveQuestion;
  return question([name, key, page], async (signal): Promise<Page<Row>> => {
    const { rows } = await quarry.sql<Row>(sql, { signal });
    return { rows: rows.slice(0, PAGE_ROWS), hasMore: rows.length > PAGE_ROWS };
  });
}

function conditionOf({ block_number, timestamp, transaction_hash }: Scope): SqlText {
  const inBlock = sqlText`block_number = ${block_number} AND timestamp = ${timestamp}`;
  if (transaction_hash === undefined) return inBlock;
  return sqlText`${inBlock} AND transaction_hash = ${transaction_hash}`;
}
