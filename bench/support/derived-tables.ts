import {
  hexBytes,
  hexBytesArray,
  identifier,
  integer,
  join,
  type Sql,
  sql,
} from "../../src/engine-sql/sql-text.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../../src/lib/seconds.ts";
import type { Engine } from "../../src/storage/store.ts";
import { engineWork, timeStatements } from "./engine-alone.ts";
import { END, TRADES } from "./generated-market.ts";
import { centiles } from "./statistics/centiles.ts";

const MARKED = { robust: "price_token_usd_robust_tick_1", tick: "price_token_usd_tick_1" } as const;
type PriceName = keyof typeof MARKED;
const ENDS = ["first", "last", "high", "low"] as const;

/** A derived table. It has one row per token and period, or one row per token if there is no period. */
interface Derived {
  name: string;
  seconds: number | null;
  /** Number of rows between two marks of the sparse index. The engine never reads fewer. */
  granularity: number;
}

const TRIED: Derived[] = [
  { name: "derived_days", seconds: DAY_SECONDS, granularity: 8192 },
  { name: "derived_tokens", seconds: null, granularity: 512 },
  { name: "derived_hours", seconds: HOUR_SECONDS, granularity: 1024 },
];

export interface Trial {
  seconds: number;
  print: (line: string) => void;
}

/** Builds each table from the trades, prints its size, and runs the queries that it could serve. */
export async function tryDerivedTables(engine: Engine, tokens: readonly Hex[], trial: Trial): Promise<void> {
  for (const derived of TRIED) {
    await build(engine, derived, trial);
    await printSize(engine, derived, trial);
    for (const [name, statement] of questionsOf(derived, tokens)) {
      const timed = await timeStatements(engine, [statement], trial.seconds);
      trial.print(`  ${name}: ${centiles(timed)} ms; ${await engineWork(engine, statement)}`);
    }
  }
}

async function build(engine: Engine, derived: Derived, { print }: Trial): Promise<void> {
  const startedMs = performance.now();
  await engine.execute(sql`DROP TABLE IF EXISTS ${identifier(derived.name)} SYNC`);
  await engine.execute(createTable(derived));
  const months = await engine.query<{ month: number }>(
    sql`SELECT DISTINCT toYYYYMM(timestamp) AS month FROM ${TRADES} ORDER BY month`,
  );
  const parts =
    derived.seconds === null
      ? [sql`1`]
      : months.map(({ month }) => sql`toYYYYMM(timestamp) = ${integer(month)}`);
  for (const where of parts) await engine.execute(fill(derived, where));
  print(`\n${derived.name}: built in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
}

const column = (price: PriceName, end: string): Sql => identifier(`${price}_${end}`);
const field = (of: Sql, name: string): Sql => sql`tupleElement(${of}, ${`'${name}'` as Sql})`;
const PRICES = Object.keys(MARKED) as PriceName[];

function createTable({ name, seconds, granularity }: Derived): Sql {
  const mark = sql`Tuple(price Float64, record_index UInt64, traded_at DateTime('UTC'), transaction_hash FixedString(32))`;
  const marks = PRICES.flatMap((price) => ENDS.map((end) => sql`${column(price, end)} ${mark}`));
  const columns = [
    sql`token_address FixedString(20)`,
    sql`opened DateTime('UTC') CODEC(Delta, ZSTD)`,
    sql`volume Float64`,
    sql`num_trades UInt64`,
    ...marks,
  ];
  const partition = seconds === null ? sql`` : sql` PARTITION BY toYYYYMM(opened)`;
  return sql`CREATE TABLE ${identifier(name)} (${join(columns)}) ENGINE = MergeTree${partition} ORDER BY (token_address, opened) SETTINGS index_granularity = ${integer(granularity)}`;
}

function fill({ name, seconds }: Derived, where: Sql): Sql {
  const opened =
    seconds === null
      ? sql`toDateTime(0, 'UTC')`
      : sql`toStartOfInterval(timestamp, INTERVAL ${integer(seconds)} SECOND)`;
  const marks = PRICES.flatMap((name) => {
    const price = identifier(MARKED[name]);
    const mark = sql`(assumeNotNull(${price}), record_index, timestamp, transaction_hash)`;
    const known = sql`${price} IS NOT NULL`;
    return [
      sql`argMinIf(${mark}, record_index, ${known})`,
      sql`argMaxIf(${mark}, record_index, ${known})`,
      sql`argMaxIf(${mark}, (${price}, bitNot(record_index)), ${known})`,
      sql`argMinIf(${mark}, (${price}, record_index), ${known})`,
    ];
  });
  return sql`INSERT INTO ${identifier(name)} SELECT token_address, ${opened} AS opened, ifNull(sumKahan(amount_usd), 0), count(), ${join(marks)} FROM ${TRADES} WHERE ${where} GROUP BY token_address, opened`;
}

export async function printSize(engine: Engine, { name }: { name: string }, { print }: Trial): Promise<void> {
  const table = `'${name}'` as Sql;
  const [size] = await engine.query<{ rows: number; bytes: number }>(
    sql`SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND table = ${table}`,
  );
  const [hashes] = await engine.query<{ bytes: number }>(
    sql`SELECT sum(subcolumns.bytes_on_disk[indexOf(subcolumns.names, 'transaction_hash')]) AS bytes FROM system.parts_columns WHERE active AND table = ${table}`,
  );
  const megabytes = (bytes = 0) => Math.round(bytes / 1e6);
  print(
    `  ${size?.rows} rows, ${megabytes(size?.bytes)} MB, of which transaction hashes ${megabytes(hashes?.bytes)} MB`,
  );
}

function questionsOf({ name, seconds }: Derived, tokens: readonly Hex[]): [string, Sql][] {
  const spread = tokens.filter((_, rank) => rank % 5 === 0);
  const busiest = tokens.slice(0, spread.length);
  const table = identifier(name);
  const sets = { "every fifth token": spread, "the busiest tokens": busiest };
  const batches = Object.entries(sets).flatMap(([label, set]): [string, Sql][] => {
    const asked = sql`token_address IN (SELECT arrayJoin(${hexBytesArray(set, 20)}))`;
    return [
      [`latest of ${set.length}, ${label}`, latest(table, asked)],
      [`all-time of ${set.length}, ${label}`, allTime(table, asked)],
      ...(seconds === null
        ? []
        : [[`in force 24 h before the end, ${label}`, inForce(table, asked)] as [string, Sql]]),
    ];
  });
  const [hottest = "0x"] = tokens;
  return seconds === null ? batches : [...batches, ["100 daily candles", dailyCandles(table, hottest)]];
}

function latest(table: Sql, asked: Sql): Sql {
  const last = column("robust", "last");
  return sql`SELECT lower(hex(token_address)) AS token, argMax((${field(last, "price")}, ${field(last, "record_index")}, ${field(last, "traded_at")}), ${field(last, "record_index")}) FROM ${table} WHERE ${asked} GROUP BY token_address`;
}

function allTime(table: Sql, asked: Sql): Sql {
  const select = ENDS.map((end) => {
    const mark = column("robust", end);
    const what = sql`(${field(mark, "price")}, ${field(mark, "record_index")}, ${field(mark, "traded_at")})`;
    const index = field(mark, "record_index");
    const price = field(mark, "price");
    if (end === "first") return sql`argMin(${what}, ${index})`;
    if (end === "last") return sql`argMax(${what}, ${index})`;
    return end === "high"
      ? sql`argMax(${what}, (${price}, bitNot(${index})))`
      : sql`argMin(${what}, (${price}, ${index}))`;
  });
  return sql`SELECT lower(hex(token_address)) AS token, ${join(select)} FROM ${table} WHERE ${asked} AND ${field(column("robust", "first"), "record_index")} > 0 GROUP BY token_address`;
}

/**
 * Returns the query for the prices in force at a time. Leaves out the period that contains the time, because
 * its prices come from the trades.
 */
function inForce(table: Sql, asked: Sql): Sql {
  const last = column("tick", "last");
  return sql`SELECT lower(hex(token_address)) AS token, argMax(${field(last, "price")}, ${field(last, "record_index")}) FROM ${table} WHERE ${asked} AND opened < toDateTime(${integer(END - DAY_SECONDS)}, 'UTC') GROUP BY token_address`;
}

function dailyCandles(table: Sql, token: Hex): Sql {
  const value = (end: string, name: string) => field(column("robust", end), name);
  return sql`SELECT intDiv(toUnixTimestamp(opened), ${integer(DAY_SECONDS)}) * ${integer(DAY_SECONDS)} AS day, argMin(${value("first", "price")}, ${value("first", "record_index")}), argMax(${value("last", "price")}, ${value("last", "record_index")}), max(${value("high", "price")}), min(${value("low", "price")}), sum(volume), sum(num_trades) FROM ${table} WHERE token_address = ${hexBytes(token)} AND opened > toDateTime(${integer(END - 100 * DAY_SECONDS)}, 'UTC') AND ${value("first", "record_index")} > 0 GROUP BY day`;
}
