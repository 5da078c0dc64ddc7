import { sql } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import type { Engine } from "../../storage/store.ts";
import type { Reader } from "../snapshot/snapshot.ts";

/** The current load of an engine. Figures are null if it does not report them. */
export interface EngineLoad {
  /** Chains whose tables it holds. */
  chains: readonly string[];
  memoryBytes: number | null;
  /** Null if it has no limit. */
  memoryLimitBytes: number | null;
  /** Number of running statements, not counting the one that reads this figure. */
  running: number | null;
  merges: number | null;
  /** Number of statements that are still running, although their clients got an error at the time limit. */
  abandoned: number;
  /** Why the engine reports no figures; null if it reports some. */
  message: string | null;
}

/** A page that shows the load must not hang when the engine does. */
const TIMEOUT_MS = 2_000;

const FIGURES = sql`SELECT metric AS name, toFloat64(value) AS value FROM system.metrics
    WHERE metric IN ('MemoryTracking', 'Query', 'Merge')
    UNION ALL SELECT name, toFloat64OrZero(value) AS value FROM system.server_settings
    WHERE name = 'max_server_memory_usage'`;

/** Reads the load of each engine that a reader uses. */
export function readEngineLoads(reader: Reader): Promise<EngineLoad[]> {
  const chainsOf = new Map<Engine, string[]>([[reader.engine, []]]);
  for (const { chain, engine = reader.engine } of reader.chains)
    chainsOf.set(engine, [...(chainsOf.get(engine) ?? []), chain.name]);
  const used = [...chainsOf].filter(([, chains]) => chains.length > 0 || chainsOf.size === 1);
  return Promise.all(used.map(([engine, chains]) => readEngineLoad(engine, chains)));
}

async function readEngineLoad(engine: Engine, chains: readonly string[]): Promise<EngineLoad> {
  const abandoned = engine.abandoned?.running ?? 0;
  try {
    const rows = await engine.query<{ name: string; value: number }>(FIGURES, { timeoutMs: TIMEOUT_MS });
    const figures = new Map(rows.map(({ name, value }) => [name, value]));
    const running = figures.get("Query");
    return {
      chains,
      memoryBytes: figures.get("MemoryTracking") ?? null,
      memoryLimitBytes: figures.get("max_server_memory_usage") || null,
      running: running === undefined ? null : Math.max(0, running - 1),
      merges: figures.get("Merge") ?? null,
      abandoned,
      message: null,
    };
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    return { ...UNKNOWN, chains, abandoned, message: error.message };
  }
}

const UNKNOWN = { memoryBytes: null, memoryLimitBytes: null, running: null, merges: null };
