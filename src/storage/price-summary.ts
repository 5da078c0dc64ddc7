import { identifier, integer, join, type Sql, sql, text } from "../lib/sql-text.ts";
import { engineTable } from "./ddl.ts";
import type { Engine } from "./store.ts";

/**
 * A summary of each token's prices over all final trades: the first, highest, lowest and last one. It holds
 * final blocks only, so no reorg concerns it, and the functions it is made of may see a trade twice, so that a
 * crash amid sealing is mended by sealing again. Newer trades are read where they are.
 */
export const SUMMARY_PRICES = ["price_token_usd_tick_1", "price_token_usd_robust_tick_1"] as const;

/** Blocks that become final before they are sealed together: some minutes on every chain. */
export const SEAL_BLOCKS = 64;

export function summaryTable(chain: string): Sql {
  return identifier(`${chain}_token_prices`);
}

function sealsTable(chain: string): Sql {
  return identifier(`${chain}_seals`);
}

/** Names of the summary's own tables. */
export function summaryTableNames(chain: string): string[] {
  return [`${chain}_token_prices`, `${chain}_seals`];
}

const TRADE = sql`Tuple(Float64, DateTime('UTC'), FixedString(32))`;
const LAST_TRADE = sql`Tuple(Float64, Nullable(Float64), DateTime('UTC'), UInt64, FixedString(32))`;

/** The statements that create them; each may run again without harm. */
export function createSummaryStatements(chain: string): Sql[] {
  return [
    sql`CREATE TABLE IF NOT EXISTS ${summaryTable(chain)} (price_type LowCardinality(String),
      token_address FixedString(20), opened AggregateFunction(argMin, ${TRADE}, UInt64),
      highest AggregateFunction(argMax, ${TRADE}, Tuple(Float64, Int64)),
      lowest AggregateFunction(argMin, ${TRADE}, Tuple(Float64, UInt64)),
      closed AggregateFunction(argMax, ${LAST_TRADE}, UInt64))
      ENGINE = AggregatingMergeTree ORDER BY (price_type, token_address)`,
    sql`CREATE TABLE IF NOT EXISTS ${sealsTable(chain)} (block_number UInt64, done UInt8, noted_at UInt64)
      ENGINE = MergeTree ORDER BY block_number`,
  ];
}

export interface Seal {
  /** Newest block whose trades are all in the summary; null: the summary is not to be read. */
  done: number | null;
  /** Newest block of which the summary may hold trades. */
  begun: number | null;
}

/** How far the summary goes. */
export async function newestSeal(engine: Pick<Engine, "query">, chain: string): Promise<Seal> {
  const [seal] = await engine.query<Seal>(
    sql`SELECT maxOrNullIf(block_number, done = 1) AS done, maxOrNull(block_number) AS begun FROM ${sealsTable(chain)}`,
  );
  return seal ?? { done: null, begun: null };
}

/** Takes all trades of the blocks up to `upTo`, which are committed and final, into the summary. */
export async function seal(engine: Engine, chain: string, upTo: number): Promise<void> {
  const { done } = await newestSeal(engine, chain);
  if (done !== null && done >= upTo) return;
  if (done === null) await engine.execute(sql`TRUNCATE TABLE ${summaryTable(chain)}`);
  await note(engine, chain, { block: upTo, done: 0 });
  await summarize(engine, chain, { above: done, upTo });
  await note(engine, chain, { block: upTo, done: 1 });
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
  const states = SUMMARY_PRICES.map(
    (priceType) =>
      sql`SELECT ${text(priceType)} AS price_type, * FROM (${priceStates(chain, priceType, blocks)})`,
  );
  await engine.execute(sql`INSERT INTO ${summaryTable(chain)} ${join(states, " UNION ALL ")}`);
}

/** Drops the summary, where blocks that it holds were taken back or mended: the next seal makes it anew. */
export async function breakSeal(engine: Engine, chain: string): Promise<void> {
  await engine.execute(sql`TRUNCATE TABLE ${sealsTable(chain)}`);
  await engine.execute(sql`TRUNCATE TABLE ${summaryTable(chain)}`);
}

/** The summary of the trades that a condition selects, for one price type: a row a token. */
export function priceStates(chain: string, priceType: string, condition: Sql): Sql {
  const column = identifier(priceType);
  const price = sql`assumeNotNull(${column})`;
  const trade = sql`tuple(${price}, timestamp, transaction_hash)`;
  const last = sql`tuple(${price}, price_token_eth, timestamp, block_number, transaction_hash)`;
  return sql`SELECT token_address,
    argMinState(${trade}, record_index) AS opened,
    argMaxState(${trade}, tuple(${price}, -toInt64(record_index))) AS highest,
    argMinState(${trade}, tuple(${price}, record_index)) AS lowest,
    argMaxState(${last}, record_index) AS closed
    FROM ${engineTable(chain, "dex_trades")} WHERE ${condition} AND ${column} IS NOT NULL GROUP BY token_address`;
}

async function note(engine: Engine, chain: string, row: { block: number; done: number }): Promise<void> {
  const values = join([integer(row.block), integer(row.done), integer(Math.floor(Date.now() / 1000))]);
  await engine.execute(sql`INSERT INTO ${sealsTable(chain)} VALUES (${values})`);
}
