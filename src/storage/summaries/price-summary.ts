import { identifier, integer, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import type { Engine } from "../store.ts";
import { engineTable } from "../tables/ddl.ts";
import { EXTREME_COLUMNS, extremePrices, HIGHEST_RANK, PRICE_EXTREMES } from "./price-extremes.ts";

/**
 * What questions about a token's whole history would else read all its trades for, in three tables: its first,
 * highest, lowest and last price; its last price of each month; its first trade, in all and in each pool. They
 * hold final blocks only, so no reorg concerns them, and all they are made of may see a trade twice, so that a
 * crash amid sealing is mended by sealing again. Newer trades are read where they are.
 */
export const SUMMARY_PRICES = ["price_token_usd_tick_1", "price_token_usd_robust_tick_1"] as const;

/** Blocks that become final before they are sealed together: some minutes on every chain. */
export const SEAL_BLOCKS = 64;

/** First, highest, lowest and last price of a token: `extremePrices` of each price type. */
export function summaryTable(chain: string): Sql {
  return identifier(`${chain}_price_extremes`);
}

/** The last price of a token in each month it had one in; rows of a month may be several, the newest counts. */
export function monthsTable(chain: string): Sql {
  return identifier(`${chain}_token_months`);
}

/** When a token was first traded in a pool, or in all of them (`ALL_POOLS`); rows may be several, the first counts. */
export function firstTradesTable(chain: string): Sql {
  return identifier(`${chain}_first_trades`);
}

/** Stands for all pools in the table of first trades. */
export const ALL_POOLS = sql`''`;

const summaryTables = (chain: string) => [summaryTable(chain), monthsTable(chain), firstTradesTable(chain)];

function sealsTable(chain: string): Sql {
  return identifier(`${chain}_seals`);
}

/** Names of the summary's own tables. */
export function summaryTableNames(chain: string): string[] {
  return [`${chain}_price_extremes`, `${chain}_token_months`, `${chain}_first_trades`, `${chain}_seals`];
}

/** Questions are about some tokens of very many, each with few rows. */
const MONTHS_GRANULARITY = 512;

/** The statements that create them; each may run again without harm. */
export function createSummaryStatements(chain: string): Sql[] {
  return [
    sql`CREATE TABLE IF NOT EXISTS ${summaryTable(chain)} (price_type LowCardinality(String),
      extreme LowCardinality(String), token_address FixedString(20), price Float64, price_eth Nullable(Float64),
      traded_at DateTime('UTC'), block_number UInt64, transaction_hash FixedString(32), rank UInt128)
      ENGINE = ReplacingMergeTree(rank) ORDER BY (price_type, extreme, token_address)`,
    sql`CREATE TABLE IF NOT EXISTS ${monthsTable(chain)} (price_type LowCardinality(String),
      token_address FixedString(20), month UInt32, price Float64, record_index UInt64)
      ENGINE = ReplacingMergeTree(record_index) ORDER BY (price_type, token_address, month)
      SETTINGS index_granularity = ${integer(MONTHS_GRANULARITY)}`,
    sql`CREATE TABLE IF NOT EXISTS ${firstTradesTable(chain)} (token_address FixedString(20), pool_address String,
      traded_at SimpleAggregateFunction(min, DateTime('UTC')))
      ENGINE = AggregatingMergeTree ORDER BY (token_address, pool_address)`,
    sql`CREATE TABLE IF NOT EXISTS ${sealsTable(chain)} (block_number UInt64, done UInt8, noted_at UInt64)
      ENGINE = MergeTree ORDER BY block_number`,
  ];
}

export interface Seal {
  /** Newest block whose trades are all in the summary; null: the summary is not to be read. */
  done: number | null;
  /** Newest block of which the summary may hold trades. */
  begun: number | null;
  /** Where the first seal ended: another one when the summary was made anew. */
  origin: number | null;
}

/** How far the summary goes. */
export async function newestSeal(engine: Pick<Engine, "query">, chain: string): Promise<Seal> {
  const [seal] = await engine.query<Seal>(
    sql`SELECT maxOrNullIf(block_number, done = 1) AS done, maxOrNull(block_number) AS begun,
      minOrNull(block_number) AS origin FROM ${sealsTable(chain)}`,
  );
  return seal ?? { done: null, begun: null, origin: null };
}

/** Takes all trades of the blocks up to `upTo`, which are committed and final, into the summary. */
export async function seal(engine: Engine, chain: string, upTo: number): Promise<void> {
  const { done } = await newestSeal(engine, chain);
  if (done !== null && done >= upTo) return;
  if (done === null) await emptySummary(engine, chain);
  await note(engine, chain, { block: upTo, done: 0 });
  await summarize(engine, chain, { above: done, upTo });
  if (done === null) await mergeSummary(engine, chain);
  await note(engine, chain, { block: upTo, done: 1 });
}

/** Made anew, the tables are of a part or more for each month; reads visit each part. */
async function mergeSummary(engine: Engine, chain: string): Promise<void> {
  for (const table of summaryTables(chain)) await engine.execute(sql`OPTIMIZE TABLE ${table} FINAL`);
}

/** Longer than the operating system keeps what was written from the disk: see the check of the newest blocks. */
const UNSAFE_SECONDS = 5 * 60;

/**
 * Seals again what was sealed shortly before the end of the process: should it have ended by a loss of power, the
 * seal may have come to disk and its rows not. A trade that is taken in twice changes nothing.
 */
export async function sealAgain(engine: Engine, chain: string): Promise<void> {
  const seals = sealsTable(chain);
  const [found] = await engine.query<{ newest: number | null; safe: number | null }>(
    sql`SELECT maxOrNull(block_number) AS newest, maxOrNullIf(block_number,
      noted_at + ${integer(UNSAFE_SECONDS)} < (SELECT max(noted_at) FROM ${seals})) AS safe
      FROM ${seals} WHERE done = 1`,
  );
  const { newest = null, safe = null } = found ?? {};
  if (newest === null || newest === safe) return;
  await summarize(engine, chain, { above: safe, upTo: newest });
}

async function summarize(
  engine: Engine,
  chain: string,
  { above, upTo }: { above: number | null; upTo: number },
): Promise<void> {
  const later = above === null ? sql`1` : sql`block_number > ${integer(above)}`;
  const blocks = sql`${later} AND block_number <= ${integer(upTo)}`;
  const months = await engine.query<{ partition: string }>(
    sql`SELECT DISTINCT _partition_id AS partition FROM ${engineTable(chain, "dex_trades")} WHERE ${blocks}`,
  );
  for (const { partition } of months) {
    await summarizeMonth(engine, chain, sql`_partition_id = ${text(partition)} AND ${blocks}`);
  }
}

/** A month at a time, so that what grouping takes does not grow with the history. */
async function summarizeMonth(engine: Engine, chain: string, trades: Sql): Promise<void> {
  for (const priceType of SUMMARY_PRICES) {
    const extremes = extremePrices({ chain, priceType, extremes: PRICE_EXTREMES, condition: trades });
    const rows = sql`SELECT ${EXTREME_COLUMNS} FROM (${extremes}) ${HIGHEST_RANK}`;
    await insertTyped(engine, summaryTable(chain), { priceType, columns: EXTREME_COLUMNS, rows });
    const closes = { columns: MONTH_COLUMNS, rows: monthCloses(chain, priceType, trades) };
    await insertTyped(engine, monthsTable(chain), { priceType, ...closes });
  }
  await engine.execute(sql`INSERT INTO ${firstTradesTable(chain)} ${firstTrades(chain, trades)}`);
}

async function insertTyped(
  engine: Engine,
  table: Sql,
  { priceType, columns, rows }: { priceType: string; columns: Sql; rows: Sql },
): Promise<void> {
  await engine.execute(
    sql`INSERT INTO ${table} (price_type, ${columns}) SELECT ${text(priceType)}, ${columns} FROM (${rows})`,
  );
}

const MONTH_COLUMNS = sql`token_address, month, price, record_index`;

/** Drops the summary, where blocks that it holds were taken back or mended: the next seal makes it anew. */
export async function breakSeal(engine: Engine, chain: string): Promise<void> {
  await engine.execute(sql`TRUNCATE TABLE ${sealsTable(chain)}`);
  await emptySummary(engine, chain);
}

async function emptySummary(engine: Engine, chain: string): Promise<void> {
  for (const table of summaryTables(chain)) await engine.execute(sql`TRUNCATE TABLE ${table}`);
}

/** The last price in each month of the trades that a condition selects, for one price type. */
export function monthCloses(chain: string, priceType: string, condition: Sql): Sql {
  const column = identifier(priceType);
  return sql`SELECT token_address, toYYYYMM(timestamp) AS month,
    argMax(assumeNotNull(${column}), trades.record_index) AS price, max(trades.record_index) AS record_index
    FROM ${engineTable(chain, "dex_trades")} AS trades WHERE ${condition} AND ${column} IS NOT NULL
    GROUP BY token_address, month`;
}

/** The first of the trades that a condition selects, with or without a price, in each pool and in all. */
export function firstTrades(chain: string, condition: Sql): Sql {
  return sql`SELECT token_address, arrayJoin([${ALL_POOLS}, toString(trades.pool_address)]) AS pool_address,
    min(timestamp) AS traded_at FROM ${engineTable(chain, "dex_trades")} AS trades WHERE ${condition}
    GROUP BY token_address, pool_address`;
}

async function note(engine: Engine, chain: string, row: { block: number; done: number }): Promise<void> {
  const values = join([integer(row.block), integer(row.done), integer(Math.floor(Date.now() / 1000))]);
  await engine.execute(sql`INSERT INTO ${sealsTable(chain)} VALUES (${values})`);
}
