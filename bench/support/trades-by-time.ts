import { hexBytesArray, integer, sql } from "../../src/engine-sql/sql-text.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../../src/lib/seconds.ts";
import type { Engine } from "../../src/storage/store.ts";
import { printSize, type Trial } from "./derived-tables.ts";
import { engineWork, timeStatements } from "./engine-alone.ts";
import { END, TRADES } from "./generated-market.ts";
import { centiles } from "./statistics/centiles.ts";

const TABLE = sql`derived_by_time`;
const STORED_DAYS = 55;
const SPANS_SECONDS = [HOUR_SECONDS, DAY_SECONDS, 30 * DAY_SECONDS];

/**
 * Measures a narrow copy of the newest trades in time order, which keeps recent trades of all tokens close
 * together.
 */
export async function tryTradesByTime(engine: Engine, tokens: readonly Hex[], trial: Trial): Promise<void> {
  const startedMs = performance.now();
  await engine.execute(sql`DROP TABLE IF EXISTS ${TABLE} SYNC`);
  await engine.execute(
    sql`CREATE TABLE ${TABLE} (token_address FixedString(20), timestamp DateTime('UTC') CODEC(Delta, ZSTD), record_index UInt64 CODEC(Delta, ZSTD), robust Nullable(Float64), tick Nullable(Float64)) ENGINE = MergeTree PARTITION BY toYYYYMM(timestamp) ORDER BY (timestamp, record_index)`,
  );
  const since = (seconds: number) => sql`timestamp >= toDateTime(${integer(END - seconds)}, 'UTC')`;
  await engine.execute(
    sql`INSERT INTO ${TABLE} SELECT token_address, timestamp, record_index, price_token_usd_robust_tick_1, price_token_usd_tick_1 FROM ${TRADES} WHERE ${since(STORED_DAYS * DAY_SECONDS)}`,
  );
  trial.print(`\nderived_by_time: built in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  await printSize(engine, { name: "derived_by_time" }, trial);
  const asked = hexBytesArray(
    tokens.filter((_, rank) => rank % 5 === 0),
    20,
  );
  for (const span of SPANS_SECONDS) {
    const statement = sql`SELECT lower(hex(token_address)) AS token, argMax(tick, record_index) FROM ${TABLE} WHERE ${since(span)} AND tick IS NOT NULL AND token_address IN (SELECT arrayJoin(${asked})) GROUP BY token_address`;
    const timed = await timeStatements(engine, [statement], trial.seconds);
    const work = await engineWork(engine, statement);
    trial.print(`  newest of the last ${span} s, every fifth token: ${centiles(timed)} ms; ${work}`);
  }
}
