import { identifier, integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { type TableHost, tableEngine } from "./table-engine.ts";

/** Table of the first, highest, lowest and last price of a token: `extremePrices` of each price type. */
export function summaryTable(chain: string): Sql {
  return identifier(`${chain}_price_extremes`);
}

/**
 * Table of the last price of a token in each month in which it had one. A month may have several rows, of
 * which only the newest is valid.
 */
export function monthsTable(chain: string): Sql {
  return identifier(`${chain}_token_months`);
}

/**
 * Table of the first trade of a token in a pool, or in any pool (`ALL_POOLS`). A key may have several rows,
 * of which only the earliest is valid.
 */
export function firstTradesTable(chain: string): Sql {
  return identifier(`${chain}_first_trades`);
}

/** Value of the pool column that means all pools, in the table of first trades. */
export const ALL_POOLS = sql`''`;

/**
 * Table of the summary's progress: a row when a checkpoint starts (`done` 0) and one when it is complete
 * (`done` 1).
 */
export function checkpointsTable(chain: string): Sql {
  return identifier(`${chain}_seals`);
}

/** Returns the tables that hold the summary's rows. */
export function summaryTables(chain: string): Sql[] {
  return [summaryTable(chain), monthsTable(chain), firstTradesTable(chain)];
}

/** Returns the names of all tables of the summary, including its checkpoints. */
export function summaryTableNames(chain: string): string[] {
  return [`${chain}_price_extremes`, `${chain}_token_months`, `${chain}_first_trades`, `${chain}_seals`];
}

/** Rows per mark: queries read a few of very many tokens, and each token has few rows. */
const MONTHS_GRANULARITY = 512;

/** Returns the statements that create the summary's tables; running them again changes nothing. */
export function createSummaryStatements(host: TableHost, chain: string): Sql[] {
  return [
    sql`CREATE TABLE IF NOT EXISTS ${summaryTable(chain)} (price_type LowCardinality(String),
      extreme LowCardinality(String), token_address FixedString(20), price Float64, price_eth Nullable(Float64),
      traded_at DateTime('UTC'), block_number UInt64, transaction_hash FixedString(32), rank UInt128)
      ${tableEngine(host, sql`ReplacingMergeTree(rank)`, sql`ORDER BY (price_type, extreme, token_address)`)}`,
    sql`CREATE TABLE IF NOT EXISTS ${monthsTable(chain)} (price_type LowCardinality(String),
      token_address FixedString(20), month UInt32, price Float64, record_index UInt64)
      ${tableEngine(
        host,
        sql`ReplacingMergeTree(record_index)`,
        sql`ORDER BY (price_type, token_address, month)`,
        [sql`index_granularity = ${integer(MONTHS_GRANULARITY)}`],
      )}`,
    sql`CREATE TABLE IF NOT EXISTS ${firstTradesTable(chain)} (token_address FixedString(20), pool_address String,
      traded_at SimpleAggregateFunction(min, DateTime('UTC')))
      ${tableEngine(host, sql`AggregatingMergeTree`, sql`ORDER BY (token_address, pool_address)`)}`,
    sql`CREATE TABLE IF NOT EXISTS ${checkpointsTable(chain)} (block_number UInt64, done UInt8, noted_at UInt64)
      ${tableEngine(host, sql`MergeTree`, sql`ORDER BY block_number`)}`,
  ];
}

/**
 * Returns the statements that empty the summary. They delete the checkpoints first, so that an interruption
 * leaves no checkpoint without its rows.
 */
export function emptySummaryStatements(chain: string): Sql[] {
  return [checkpointsTable(chain), ...summaryTables(chain)].map((table) => sql`TRUNCATE TABLE ${table}`);
}
