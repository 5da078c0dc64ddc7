import { Counter, Gauge, type Registry } from "prom-client";
import { sql } from "../../engine-sql/sql-text.ts";
import { counter, gauge } from "../../lib/figures.ts";
import type { Engine } from "../../storage/store.ts";

/**
 * Measures the queries that are still running in the engine although their clients were answered at the time
 * limit.
 */
export function measureAbandoned({ abandoned }: Engine, registry: Registry): void {
  if (abandoned === undefined) return;
  const running = {
    name: "quarry_abandoned_queries",
    help: "Queries that still run although their clients were answered at the time limit",
  };
  gauge(registry, running, () => abandoned.running);
  const total = {
    name: "quarry_abandoned_queries_total",
    help: "Queries that kept running for more than a second after their time limit",
  };
  counter(registry, total, () => abandoned.total);
}

/** Counts of the engine since the process started, by the name of its event. */
const EVENT_COUNTERS = [
  {
    event: "InsertedBytes",
    name: "quarry_engine_inserted_bytes_total",
    help: "Uncompressed bytes inserted into the tables",
    unitsPerCount: 1,
  },
  {
    event: "MergedUncompressedBytes",
    name: "quarry_engine_merged_bytes_total",
    help: "Uncompressed bytes that background merges wrote again; divided by those inserted: write amplification",
    unitsPerCount: 1,
  },
  { event: "Merge", name: "quarry_engine_merges_total", help: "Background merges", unitsPerCount: 1 },
  {
    event: "MergeTotalMilliseconds",
    name: "quarry_engine_merge_seconds_total",
    help: "Time spent in background merges",
    unitsPerCount: 1_000,
  },
] as const;

/** Measures the parts of all tables and their merges. @param engine null: a server, which has its own metrics */
export function measureMerges(engine: Engine | null, registry: Registry): void {
  if (engine === null) return;
  const parts = new Gauge({
    name: "quarry_engine_parts",
    help: "Parts of all tables, each of which a query may have to visit",
    registers: [registry],
    async collect() {
      const active = sql`SELECT toUInt32(count()) AS parts FROM system.parts WHERE active`;
      const [row] = await engine.query<{ parts: number }>(active).catch(() => []);
      if (row === undefined) parts.reset();
      else parts.set(row.parts);
    },
  });
  for (const { event, name, help, unitsPerCount } of EVENT_COUNTERS) {
    const total = new Counter({
      name,
      help,
      registers: [registry],
      async collect() {
        const counts = await countsOf(engine);
        total.reset();
        if (counts !== null) total.inc((counts.get(event) ?? 0) / unitsPerCount);
      },
    });
  }
}

/** Returns null while the engine does not respond. An event that has not happened is absent. */
async function countsOf(engine: Engine): Promise<ReadonlyMap<string, number> | null> {
  const all = sql`SELECT event, toFloat64(value) AS value FROM system.events`;
  const rows = await engine.query<{ event: string; value: number }>(all).catch(() => null);
  return rows && new Map(rows.map(({ event, value }) => [event, value]));
}
