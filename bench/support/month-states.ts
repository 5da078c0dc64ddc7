import { hexBytesArray, integer, join, type Sql, sql } from "../../src/engine-sql/sql-text.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { DAY_SECONDS } from "../../src/lib/seconds.ts";
import type { Engine } from "../../src/storage/store.ts";
import { printSize, type Trial } from "./derived-tables.ts";
import { engineWork, timeStatements } from "./engine-alone.ts";
import { END, START, TRADES } from "./generated-market.ts";
import { centiles } from "./statistics/centiles.ts";

const STATES = sql`derived_month_states`;
const DAYS = sql`derived_days`;

/**
 * Measures a table with each token's price at the start of each month, in the partition of that month.
 * Queries then need to read only one month. The prices in force at a given time follow from this table, the
 * preceding days of the month (derived_days), and the trades of that day.
 */
export async function tryMonthStates(engine: Engine, tokens: readonly Hex[], trial: Trial): Promise<void> {
  await build(engine, trial);
  await printSize(engine, { name: "derived_month_states" }, trial);
  const spread = tokens.filter((_, rank) => rank % 5 === 0);
  const sets = { "every fifth token": spread, "the busiest tokens": tokens.slice(0, spread.length) };
  for (const [label, set] of Object.entries(sets)) {
    for (const at of [END, END - DAY_SECONDS, END - 3 * DAY_SECONDS - 7_000]) {
      const statement = inForce(set, at);
      const timed = await timeStatements(engine, [statement], trial.seconds);
      const when = `${END - at} s before the end`;
      trial.print(
        `  in force ${when}, ${label}: ${centiles(timed)} ms; ${await engineWork(engine, statement)}`,
      );
    }
  }
}

async function build(engine: Engine, { print }: Trial): Promise<void> {
  const startedMs = performance.now();
  await engine.execute(sql`DROP TABLE IF EXISTS ${STATES} SYNC`);
  await engine.execute(
    sql`CREATE TABLE ${STATES} (token_address FixedString(20), month DateTime('UTC'), tick Float64, record_index UInt64, traded_at DateTime('UTC')) ENGINE = MergeTree PARTITION BY toYYYYMM(month) ORDER BY (token_address, month) SETTINGS index_granularity = 512`,
  );
  for (let month = monthAfter(START); month <= END; month = monthAfter(month)) {
    const before = sql`toDateTime(${integer(monthBefore(month))}, 'UTC')`;
    const start = sql`toDateTime(${integer(month)}, 'UTC')`;
    const known = sql`SELECT token_address, (tick, record_index, traded_at) AS mark FROM ${STATES} WHERE month = ${before}`;
    const newer = sql`SELECT token_address, (tick_last.price, tick_last.record_index, tick_last.traded_at) AS mark FROM ${DAYS} WHERE opened >= ${before} AND opened < ${start} AND tick_last.record_index > 0`;
    await engine.execute(
      sql`INSERT INTO ${STATES} SELECT token_address, ${start}, newest.1, newest.2, newest.3 FROM (SELECT token_address, argMax(mark, mark.2) AS newest FROM (${known} UNION ALL ${newer}) GROUP BY token_address)`,
    );
  }
  print(
    `\nderived_month_states: built from the days in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`,
  );
}

/** Returns the start of the calendar month, in UTC, that is `months` after the timestamp's month. */
function monthStart(timestamp: number, months: number): number {
  const date = new Date(timestamp * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months) / 1000;
}

const monthAfter = (timestamp: number) => monthStart(timestamp, 1);
const monthBefore = (timestamp: number) => monthStart(timestamp, -1);

function inForce(tokens: readonly Hex[], at: number): Sql {
  const time = (timestamp: number) => sql`toDateTime(${integer(timestamp)}, 'UTC')`;
  const [month, day] = [monthStart(at, 0), Math.floor(at / DAY_SECONDS) * DAY_SECONDS];
  const asked = sql`token_address IN asked`;
  const levels = [
    sql`SELECT token_address, tick AS price, record_index AS at FROM ${STATES} WHERE month = ${time(month)} AND ${asked}`,
    sql`SELECT token_address, tick_last.price, tick_last.record_index FROM ${DAYS} WHERE opened >= ${time(month)} AND opened < ${time(day)} AND ${asked}`,
    sql`SELECT token_address, assumeNotNull(price_token_usd_tick_1), record_index FROM ${TRADES} WHERE timestamp >= ${time(day)} AND timestamp <= ${time(at)} AND ${asked} AND price_token_usd_tick_1 IS NOT NULL`,
  ];
  return sql`WITH asked AS (SELECT arrayJoin(${hexBytesArray(tokens, 20)})) SELECT lower(hex(token_address)) AS token, argMax(price, at) FROM (${join(levels, " UNION ALL ")}) GROUP BY token_address`;
}
