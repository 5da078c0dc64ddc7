import { Counter, Gauge, type Registry } from "prom-client";
import { sql } from "../../../engine-sql/sql-text.ts";
import { sharedWhileRunning } from "../../../lib/async/shared-while-running.ts";
import { counter, gauge } from "../../../lib/figures.ts";
import type { Engine } from "../../../storage/store.ts";

/**
 * Measures the queries that are still running in the engines although their clients were answered at the time
 * limit.
 */
export function measureAbandoned(engines: readonly Engine[], registry: Registry): void {
  const sum = (of: "running" | "total") => () =>
    engines.reduce((count, { abandoned }) => count + (abandoned?.[of] ?? 0), 0);
  const running = {
    name: "quarry_abandoned_queries",
    help: "Queries still running although their clients got a response at the time limit",
  };
  gauge(registry, running, sum("running"));
  const total = {
    name: "quarry_abandoned_queries_total",
    help: "Queries that kept running for more than a second after their time limit",
  };
  counter(registry, total, sum("total"));
}

/** Measures the switches to another address of a server. */
export function measureAddresses(engines: readonly Engine[], registry: Registry): void {
  const changes = {
    name: "quarry_server_address_changes_total",
    help: "Switches to another address of a ClickHouse server",
  };
  counter(registry, changes, () =>
    engines.reduce((count, { addresses }) => count + (addresses?.changes ?? 0), 0),
  );
}

/** Metrics from the engine's counts of events since the process started. */
const EVENT_COUNTERS = [
  {
    event: "InsertedBytes",
    name: "quarry_engine_inserted_bytes_total",
    help: "Uncompressed bytes inserted into the tables",
    countsPerUnit: 1,
  },
  {
    event: "MergedUncompressedBytes",
    name: "quarry_engine_merged_bytes_total",
    help: "Uncompressed bytes that background merges rewrote; divided by the inserted bytes, this is the write amplification",
    countsPerUnit: 1,
  },
  { event: "Merge", name: "quarry_engine_merges_total", help: "Background merges", countsPerUnit: 1 },
  {
    event: "MergeTotalMilliseconds",
    name: "quarry_engine_merge_seconds_total",
    help: "Time spent in background merges",
    countsPerUnit: 1_000,
  },
] as const;

/**
 * Measures the parts of all tables, and the merges.
 *
 * @param engine null if a server holds the tables, because a server has its own metrics
 */
export function measureMerges(engine: Engine | null, registry: Registry): void {
  if (engine === null) return;
  // All figures are collected at once, so one query serves them all.
  const read = sharedWhileRunning(() => readFigures(engine));
  new Gauge({
    name: "quarry_engine_parts",
    help: "Parts of all tables; a query may have to read from every part of the tables that it uses",
    registers: [registry],
    async collect() {
      const figures = await read();
      this.reset();
      if (figures !== null) this.set(figures.get("parts") ?? 0);
    },
  });
  for (const { event, name, help, countsPerUnit } of EVENT_COUNTERS) {
    new Counter({
      name,
      help,
      registers: [registry],
      async collect() {
        const figures = await read();
        this.reset();
        if (figures !== null) this.inc((figures.get(event) ?? 0) / countsPerUnit);
      },
    });
  }
}

/**
 * Returns the counts of events, and the number of `parts`; null if the engine does not respond. An event that
 * never happened has no count.
 */
async function readFigures(engine: Engine): Promise<ReadonlyMap<string, number> | null> {
  const figures = sql`SELECT event AS name, toFloat64(value) AS value FROM system.events
    UNION ALL SELECT 'parts' AS name, toFloat64(count()) AS value FROM system.parts WHERE active`;
  const rows = await engine.query<{ name: string; value: number }>(figures).catch(() => null);
  return rows && new Map(rows.map(({ name, value }) => [name, value]));
}
