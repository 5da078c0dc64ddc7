import { identifier, integer, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { systemClock } from "../../lib/async/clock.ts";
import { TRADE_PRICES } from "../../schema/trade-price.ts";
import type { Engine } from "../store.ts";
import { engineTable } from "../tables/ddl.ts";
import {
  ALL_POOLS,
  checkpointsTable,
  emptySummaryStatements,
  firstTradesTable,
  monthsTable,
  summaryTable,
  summaryTables,
} from "../tables/summary-tables.ts";
import { EXTREME_COLUMNS, extremePrices, HIGHEST_RANK, PRICE_EXTREMES } from "./price-extremes.ts";

/**
 * How many blocks must become final before the next checkpoint: 2 minutes of blocks on a chain with a block
 * every 2 s, and 13 minutes with one every 12 s.
 */
export const CHECKPOINT_BLOCKS = 64;

/**
 * The blocks that the price summary covers. Thanks to the summary, queries about a token's whole history need
 * not read all its trades. For each token and type of trade price, it holds the first, highest, lowest and
 * last price, and the last price of each month. It also holds the token's first trade, overall and in each
 * pool. It covers only final blocks, so no reorg affects it. Adding a trade twice changes nothing, so a
 * checkpoint that a crash interrupted is simply run again. Newer trades are read from their own table.
 */
export interface Checkpoint {
  /** Newest block whose trades are all in the summary; null: the summary must not be read. */
  complete: number | null;
  /** Newest block whose trades may be in the summary. */
  started: number | null;
  /** Block of the first checkpoint; it changes when the summary is rebuilt. */
  generation: number | null;
}

/** Reads which blocks the summary covers. */
export async function newestCheckpoint(engine: Pick<Engine, "query">, chain: string): Promise<Checkpoint> {
  const [newest] = await engine.query<Checkpoint>(
    sql`SELECT maxOrNullIf(block_number, done = 1) AS complete, maxOrNull(block_number) AS started,
      minOrNull(block_number) AS generation FROM ${checkpointsTable(chain)}`,
  );
  return newest ?? { complete: null, started: null, generation: null };
}

/** Adds all trades of the blocks up to `upTo` to the summary. These blocks must be committed and final. */
export async function writeCheckpoint(engine: Engine, chain: string, upTo: number): Promise<void> {
  const { complete } = await newestCheckpoint(engine, chain);
  if (complete !== null && complete >= upTo) return;
  if (complete === null) await emptyTables(engine, chain);
  await logCheckpoint(engine, chain, upTo, "started");
  await summarize(engine, chain, complete, upTo);
  if (complete === null) await mergeSummary(engine, chain);
  await logCheckpoint(engine, chain, upTo, "complete");
}

async function emptyTables(engine: Engine, chain: string): Promise<void> {
  for (const table of summaryTables(chain)) await engine.execute(sql`TRUNCATE TABLE ${table}`);
}

/**
 * Merges the parts of a rebuilt summary. A rebuild leaves at least one part per month, and reads visit every
 * part.
 */
async function mergeSummary(engine: Engine, chain: string): Promise<void> {
  for (const table of summaryTables(chain)) await engine.execute(sql`OPTIMIZE TABLE ${table} FINAL`);
}

/** Longer than the operating system delays writes to disk; see the doctor's check of the newest blocks. */
const UNSAFE_SECONDS = 5 * 60;

/**
 * Number of the newest checkpoints to repeat whatever their times, because the clock may have been set
 * forward.
 */
const UNSAFE_CHECKPOINTS = 10;

/**
 * Repeats the checkpoints that were written shortly before the process ended: after a power loss, a
 * checkpoint may be on disk without its rows. Adding a trade twice changes nothing. A checkpoint is safe if
 * its time differs from the newest one's by more than `UNSAFE_SECONDS`, in either direction, because the
 * clock may have been set back. All checkpoints before a safe one are also safe.
 */
export async function redoCheckpoint(engine: Engine, chain: string): Promise<void> {
  const done = sql`FROM ${checkpointsTable(chain)} WHERE done = 1`;
  const newestTime = sql`(SELECT argMax(noted_at, block_number) ${done})`;
  const unsafe = sql`(SELECT min(block_number)
    FROM (SELECT block_number ${done} ORDER BY block_number DESC LIMIT ${integer(UNSAFE_CHECKPOINTS)}))`;
  const [found] = await engine.query<{ newest: number | null; safe: number | null }>(
    sql`SELECT maxOrNull(block_number) AS newest, maxOrNullIf(block_number, block_number < ${unsafe}
      AND abs(toInt64(noted_at) - toInt64(${newestTime})) > ${integer(UNSAFE_SECONDS)}) AS safe ${done}`,
  );
  const { newest = null, safe = null } = found ?? {};
  if (newest !== null) await summarize(engine, chain, safe, newest);
}

/** @param above newest block whose trades are already in the summary; null: none */
async function summarize(engine: Engine, chain: string, above: number | null, upTo: number): Promise<void> {
  const later = above === null ? sql`1` : sql`block_number > ${integer(above)}`;
  const blocks = sql`${later} AND block_number <= ${integer(upTo)}`;
  const months = await engine.query<{ partition: string }>(
    sql`SELECT DISTINCT _partition_id AS partition FROM ${engineTable(chain, "dex_trades")} WHERE ${blocks}`,
  );
  for (const { partition } of months) {
    await summarizeMonth(engine, chain, sql`_partition_id = ${text(partition)} AND ${blocks}`);
  }
}

/**
 * Adds the trades of one month. Months are added one by one, so that the memory for grouping does not grow
 * with the history.
 */
async function summarizeMonth(engine: Engine, chain: string, trades: Sql): Promise<void> {
  for (const priceType of TRADE_PRICES) {
    const extremes = extremePrices({ chain, priceType, extremes: PRICE_EXTREMES, condition: trades });
    const rows = sql`SELECT ${EXTREME_COLUMNS} FROM (${extremes}) ${HIGHEST_RANK}`;
    await engine.execute(insertOfType(priceType, summaryTable(chain), EXTREME_COLUMNS, rows));
    const closes = monthCloses(chain, priceType, trades);
    await engine.execute(insertOfType(priceType, monthsTable(chain), MONTH_COLUMNS, closes));
  }
  await engine.execute(sql`INSERT INTO ${firstTradesTable(chain)} ${firstTrades(chain, trades)}`);
}

const MONTH_COLUMNS = sql`token_address, month, price, record_index`;

function insertOfType(priceType: string, table: Sql, columns: Sql, rows: Sql): Sql {
  return sql`INSERT INTO ${table} (price_type, ${columns}) SELECT ${text(priceType)}, ${columns} FROM (${rows})`;
}

/**
 * Empties the summary because some of its blocks were rolled back or repaired; the next checkpoint rebuilds
 * it.
 */
export async function invalidateSummary(engine: Engine, chain: string): Promise<void> {
  for (const statement of emptySummaryStatements(chain)) await engine.execute(statement);
}

/**
 * Prints the query for the last price of each token in each month, for one price type, among the trades that
 * match a condition.
 */
export function monthCloses(chain: string, priceType: string, condition: Sql): Sql {
  const column = identifier(priceType);
  return sql`SELECT token_address, toYYYYMM(timestamp) AS month,
    argMax(assumeNotNull(${column}), trades.record_index) AS price, max(trades.record_index) AS record_index
    FROM ${engineTable(chain, "dex_trades")} AS trades WHERE ${condition} AND ${column} IS NOT NULL
    GROUP BY token_address, month`;
}

/**
 * Prints the query for each token's first trade among those that match a condition, in each pool and in all
 * pools together. Trades without a price are included.
 */
export function firstTrades(chain: string, condition: Sql): Sql {
  return sql`SELECT token_address, arrayJoin([${ALL_POOLS}, toString(trades.pool_address)]) AS pool_address,
    min(timestamp) AS traded_at FROM ${engineTable(chain, "dex_trades")} AS trades WHERE ${condition}
    GROUP BY token_address, pool_address`;
}

async function logCheckpoint(
  engine: Engine,
  chain: string,
  block: number,
  stage: "started" | "complete",
): Promise<void> {
  const done = integer(stage === "complete" ? 1 : 0);
  const now = integer(Math.floor(systemClock.now() / 1000));
  await engine.execute(
    sql`INSERT INTO ${checkpointsTable(chain)} VALUES (${join([integer(block), done, now])})`,
  );
}
