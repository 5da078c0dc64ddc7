import { double, identifier, integer, join, type Sql, sql } from "../../src/engine-sql/sql-text.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { DAY_SECONDS } from "../../src/lib/seconds.ts";
import { recordIndexOf } from "../../src/schema/record-index.ts";
import type { blocks } from "../../src/schema/tables/blocks.ts";
import type { dexTrades } from "../../src/schema/tables/dex-trades.ts";
import type { tokenMetadata } from "../../src/schema/tables/token-metadata.ts";
import { TABLE_NAMES, type TableName } from "../../src/schema/tables.ts";
import { appendCommit, newestCommit } from "../../src/storage/commits/commit-log.ts";
import type { Engine } from "../../src/storage/store.ts";
import { writeCheckpoint } from "../../src/storage/summaries/price-summary.ts";
import { createTableStatements, engineTable } from "../../src/storage/tables/ddl.ts";
import { createSummaryStatements } from "../../src/storage/tables/summary-tables.ts";

/**
 * Number of tokens. The market has 400 days of trades on a chain with a block every 12 s. The same number of
 * trades always gives the same trades.
 */
export const TOKENS = 50_000;
export const START = 19_560 * DAY_SECONDS;
/** A smoke run has fewer blocks and writes, because more would take longer than its measurements. */
const IS_SMOKE = process.argv.includes("--smoke");
const BLOCK_SECONDS = IS_SMOKE ? 1_200 : 12;
const BLOCKS = (400 * DAY_SECONDS) / BLOCK_SECONDS;
const FIRST_BLOCK = 17_000_000;
const ROWS_PER_BLOCK = recordIndexOf("wide", 1, 0);
export const LAST_BLOCK = FIRST_BLOCK + BLOCKS - 1;
const FINALIZED = LAST_BLOCK - 64;
/** Time of the last block. */
export const END = START + (BLOCKS - 1) * BLOCK_SECONDS;

/**
 * Number of trades per insert. Most inserts are as large as in a backfill. The last ones hold one block at a
 * time, as when following.
 */
const BATCH_TRADES = 20_000;
const FOLLOWED_BATCHES = IS_SMOKE ? 4 : 60;
const FOLLOWED_TRADES = 7;

/** Exponent of Zipf's law, and a shift that makes the first token's share 8 %. */
const EXPONENT = 1.1;
const SHIFT = 0.4;

/**
 * Waves of a price: the period in seconds, and the amplitude of the price's logarithm, which grows with the
 * square root of the period.
 */
const WAVES = [
  [64 * DAY_SECONDS, 2],
  [16 * DAY_SECONDS, 1],
  [4 * DAY_SECONDS, 0.5],
  [DAY_SECONDS, 0.25],
  [21_600, 0.125],
  [5_400, 0.0625],
] as const;

const CHAIN = "eth";
const PRINTED_TRADES = 2_000_000;

/**
 * Returns the number of inserts that fill another table from the trades. Each insert reads a part of the
 * trades.
 */
export function insertsOf(trades: number): number {
  return Math.min(300, Math.ceil(trades / 50_000));
}

export const TRADES: Sql = engineTable(CHAIN, "dex_trades");

interface Rows {
  columns: Record<string, Sql>;
  source(numbers: Sql): Sql;
}

/** Writes the chain unless it exists, then waits until the engine's merges are done. */
export async function generateMarket(
  engine: Engine,
  trades: number,
  print: (line: string) => void,
): Promise<void> {
  const definitions = [...createTableStatements(engine, CHAIN), ...createSummaryStatements(engine, CHAIN)];
  for (const statement of definitions) await engine.execute(statement);
  if ((await newestCommit(engine, CHAIN)) === null) {
    await write(engine, { table: "blocks", from: 0, count: BLOCKS }, blockRows(trades));
    await write(engine, { table: "token_metadata", from: 1, count: TOKENS }, TOKEN_ROWS);
    await writeTrades(engine, trades, print);
    await commit(engine);
  }
  await writeCheckpoint(engine, CHAIN, FINALIZED);
  await mergesSettled(engine);
}

async function writeTrades(engine: Engine, trades: number, print: (line: string) => void): Promise<void> {
  const rows = tradeRows(trades);
  const followed = FOLLOWED_BATCHES * FOLLOWED_TRADES;
  const startedMs = performance.now();
  for (let from = 0; from < trades; ) {
    const left = trades - from;
    const count =
      left <= followed ? Math.min(left, FOLLOWED_TRADES) : Math.min(BATCH_TRADES, left - followed);
    await write(engine, { table: "dex_trades", from, count }, rows);
    from += count;
    if (from % PRINTED_TRADES < count)
      print(`${from} trades, ${Math.round((performance.now() - startedMs) / 1000)} s`);
  }
}

async function write(
  engine: Engine,
  { table, from, count }: { table: TableName; from: number; count: number },
  { columns, source }: Rows,
): Promise<void> {
  const names = join(Object.keys(columns).map(identifier));
  const values = join(Object.values(columns));
  const numbers = sql`numbers(${integer(from)}, ${integer(count)})`;
  await engine.execute(
    sql`INSERT INTO ${engineTable(CHAIN, table)} (${names}) SELECT ${values} FROM (${source(numbers)}) SETTINGS max_partitions_per_insert_block = 0`,
  );
}

async function commit(engine: Engine): Promise<void> {
  const blockHash: Hex = `0x${"ab".repeat(32)}`;
  await appendCommit(engine, CHAIN, {
    sequence: 1,
    firstBlock: FIRST_BLOCK,
    blockNumber: LAST_BLOCK,
    blockHash,
    timestamp: END,
    finalized: FINALIZED,
    committedAt: END,
  });
}

/** Merges the parts of each month into one, as the engine does an hour after the last write. */
export async function mergeMonths(engine: Engine): Promise<void> {
  for (const table of TABLE_NAMES) {
    await engine.execute(sql`OPTIMIZE TABLE ${engineTable(CHAIN, table)} FINAL`);
  }
}

/** Waits until merges have finished, because the measurement needs an idle store. */
async function mergesSettled(engine: Engine): Promise<void> {
  for (let quiet = 0; quiet < 4; ) {
    const [merging] = await engine.query<{ count: number }>(sql`SELECT count() AS count FROM system.merges`);
    quiet = merging?.count === 0 ? quiet + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Returns the addresses of tokens by rank, the most traded token first. */
export async function tokensByRank(engine: Engine): Promise<Hex[]> {
  const rows = await engine.query<{ token: Hex }>(
    sql`SELECT concat('0x', lower(hex(${TOKEN_COLUMNS.token_address}))) AS token FROM (SELECT number AS rank FROM numbers(1, ${integer(TOKENS)}))`,
  );
  return rows.map(({ token }) => token);
}

/** Returns an expression for a uniform number in [0, 1) that depends only on the arguments. */
const uniform = (of: Sql): Sql => sql`(cityHash64(${of}) / 18446744073709551616.)`;

function hash(of: Sql, bytes: 20 | 32): Sql {
  return sql`toFixedString(${hashText(of, bytes)}, ${integer(bytes)})`;
}

function hashText(of: Sql, bytes: 20 | 32): Sql {
  return sql`substring(concat(sipHash128(${of}, 1), sipHash128(${of}, 2)), 1, ${integer(bytes)})`;
}

/**
 * Returns an expression for a rank from the Zipf distribution: the inverse of the distribution's integral.
 */
function zipfRank(): Sql {
  const first = (1 + SHIFT) ** (1 - EXPONENT);
  const last = (TOKENS + 1 + SHIFT) ** (1 - EXPONENT);
  const left = sql`${double(first)} - ${uniform(sql`'rank', i`)} * ${double(first - last)}`;
  const power = sql`pow(${left}, ${double(1 / (1 - EXPONENT))})`;
  return sql`least(${integer(TOKENS)}, toUInt32(${power} - ${double(SHIFT)}))`;
}

/**
 * Returns an expression for a token's price at the time of a trade. The price's logarithm is the sum of a
 * random constant and of waves of several periods. Each wave is a line between random points.
 */
function walk(): Sql {
  const waves = WAVES.map(([period, amplitude]) => {
    const place = sql`(t / ${integer(period)})`;
    const point = (at: Sql) => uniform(sql`rank, ${integer(period)}, toUInt64(${at})`);
    const line = sql`(${point(place)} + (${place} - floor(${place})) * (${point(sql`${place} + 1`)} - ${point(place)}) - 0.5)`;
    return sql`${double(amplitude)} * ${line}`;
  });
  return sql`exp(-12 + 16 * ${uniform(sql`'base', rank`)} + ${join(waves, " + ")})`;
}

/** Source of the trade columns: number, block, time, token and price of each trade. */
const tradeRows = (trades: number): Rows => ({
  columns: TRADE_COLUMNS,
  source: (numbers) => tradeSource(trades, numbers),
});

function tradeSource(trades: number, numbers: Sql): Sql {
  const block = sql`intDiv(i * ${integer(BLOCKS)}, ${integer(trades)})`;
  const firstOfBlock = sql`intDiv(b * ${integer(trades)} + ${integer(BLOCKS - 1)}, ${integer(BLOCKS)})`;
  const placed = sql`SELECT number AS i, ${block} AS b, i - ${firstOfBlock} AS ordinal, b * ${integer(BLOCK_SECONDS)} AS t, ${zipfRank()} AS rank FROM ${numbers}`;
  return sql`SELECT *, ${walk()} AS price, ${uniform(sql`'null', i`)} AS luck, 2000. AS eth_usd, exp(1 + 7 * ${uniform(sql`'usd', i`)}) AS usd FROM (${placed})`;
}

const blockTime = sql`toDateTime(${integer(START)} + t, 'UTC')`;
const blockNumber = sql`${integer(FIRST_BLOCK)} + b`;
/** Of 1,000 trades, 3 have no price, and another 17 are outliers. */
const priced = (value: Sql) => sql`if(luck < 0.003, NULL, ${value})`;
const accepted = (value: Sql) => sql`if(luck < 0.02, NULL, ${value})`;
const tick = sql`price * (1 + 0.004 * (${uniform(sql`'tick', i`)} - 0.5)) * if(luck < 0.02, 1.5, 1)`;
const near = (distance: number) => accepted(sql`price * ${double(1 + distance / 1000)}`);
const poolOfToken = sql`toUInt8(floor(4 * pow(${uniform(sql`'pool', i`)}, 2)))`;

const TRADE_COLUMNS: Record<keyof typeof dexTrades.columns, Sql> = {
  timestamp: blockTime,
  amount_eth: priced(sql`usd / eth_usd`),
  amount_token: sql`usd / (${tick})`,
  amount_usd: priced(sql`usd`),
  amount_quote: sql`usd`,
  amounts_unknown_reason: sql`NULL`,
  block_hash: hash(sql`'block', b`, 32),
  block_number: blockNumber,
  interacted_with_address: hash(sql`'router', i % 50`, 20),
  log_index: sql`ordinal * 12`,
  num_trades_1h: sql`1 + intDiv(2000, rank)`,
  num_trades_24h: sql`1 + intDiv(40000, rank)`,
  pool_address: hashText(sql`'pool', rank, ${poolOfToken}`, 20),
  price_token_eth: priced(sql`(${tick}) / eth_usd`),
  price_token_usd_tick_1: priced(tick),
  price_token_usd_tick_100: near(1),
  price_token_usd_wavg_1h: near(2),
  price_token_usd_wavg_24h: near(3),
  price_token_usd_robust_tick_1: accepted(tick),
  price_token_usd_robust_total_1h: near(4),
  price_token_usd_robust_total_24h: near(5),
  price_token_usd_robust_buy_1h: near(6),
  price_token_usd_robust_buy_24h: near(7),
  price_token_usd_robust_sell_1h: near(8),
  price_token_usd_robust_sell_24h: near(9),
  price_token_usd_robust_mid_1h: near(10),
  price_token_usd_robust_mid_24h: near(11),
  protocol_name: sql`['uniswap_v2', 'uniswap_v3', 'uniswap_v4'][1 + rank % 3]`,
  quote_address: hash(sql`'quote', rank % 4`, 20),
  record_index: sql`(${blockNumber}) * ${integer(ROWS_PER_BLOCK)} + ordinal`,
  side: sql`if(cityHash64('side', i) % 2 = 0, 'buy', 'sell')`,
  token_address: hash(sql`'token', toUInt64(rank)`, 20),
  token_name: sql`concat('Token ', toString(rank))`,
  token_symbol: sql`concat('T', toString(rank))`,
  trader_address: hash(sql`'trader', cityHash64('trader', i) % 200000`, 20),
  transaction_hash: hash(sql`'transaction', i`, 32),
  transaction_index: sql`ordinal * 9`,
  volume_1h_usd: sql`usd * 20`,
  volume_24h_usd: sql`usd * 400`,
};

const blockRows = (trades: number): Rows => ({
  columns: BLOCK_COLUMNS,
  source: (numbers) => blockSource(trades, numbers),
});

function blockSource(trades: number, numbers: Sql): Sql {
  const upTo = (b: Sql) =>
    sql`intDiv((${b}) * ${integer(trades)} + ${integer(BLOCKS - 1)}, ${integer(BLOCKS)})`;
  return sql`SELECT number AS b, number * ${integer(BLOCK_SECONDS)} AS t, ${upTo(sql`b + 1`)} - ${upTo(sql`b`)} AS trades FROM ${numbers}`;
}

const zero = integer(0);

const BLOCK_COLUMNS: Record<keyof typeof blocks.columns, Sql> = {
  timestamp: blockTime,
  block_number: blockNumber,
  block_hash: hash(sql`'block', b`, 32),
  parent_hash: hash(sql`'block', b - 1`, 32),
  miner: hash(sql`'miner', b % 100`, 20),
  gas_limit: integer(30_000_000),
  gas_used: sql`trades * 150000`,
  base_fee_per_gas: integer(20_000_000_000),
  transaction_count: sql`trades`,
  size: sql`600 + trades * 200`,
  extra_data: sql`''`,
  record_index: sql`(${blockNumber}) * ${integer(ROWS_PER_BLOCK)}`,
  log_count: zero,
  erc20_count: zero,
  erc721_count: zero,
  trade_count: sql`trades`,
  pool_count: zero,
  token_count: zero,
  balance_count: zero,
  singleton_log_count: zero,
  proof: sql`'block'`,
  origin: sql`'rpc'`,
  logged_singletons: sql`''`,
};

const TOKEN_COLUMNS: Record<keyof typeof tokenMetadata.columns, Sql> = {
  token_address: hash(sql`'token', toUInt64(rank)`, 20),
  token_symbol: sql`concat('T', toString(rank))`,
  token_name: sql`concat('Token ', toString(rank))`,
  decimals: integer(18),
  first_seen_block_number: integer(FIRST_BLOCK),
  record_index: sql`${integer(FIRST_BLOCK * ROWS_PER_BLOCK)} + rank`,
  is_born: zero,
};

const TOKEN_ROWS: Rows = {
  columns: TOKEN_COLUMNS,
  source: (numbers) => sql`SELECT number AS rank FROM ${numbers}`,
};
