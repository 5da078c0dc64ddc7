import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CacheLimits } from "../src/ingest/block-pipeline.ts";
import { Indexer } from "../src/ingest/indexer.ts";
import type { Sql } from "../src/lib/sql-text.ts";
import { TABLE_NAMES } from "../src/schema/tables.ts";
import { openChainStore } from "../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../src/storage/embedded-engine.ts";
import type { ChainStore, Engine } from "../src/storage/store.ts";
import { fakeChainFacts } from "./support/fake-chain.ts";
import { FakeSource } from "./support/fake-source.ts";
import { seeded } from "./support/seeded.ts";
import { checksumQueries } from "./support/table-checksums.ts";

/** A longer run: QUARRY_SEEDS=1000. A failing seed alone: QUARRY_FIRST_SEED=n QUARRY_SEEDS=1. */
const SEEDS = Number(process.env.QUARRY_SEEDS ?? 6);
const FIRST_SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);
const MOVES = 60;
const FINALITY = 12;

/** Memory that forgets nearly everything at once, so that nearly everything is read back from the store. */
const TIGHT: CacheLimits = { pools: 4, tokens: 4, histories: { tokens: 3, trades: 40 } };
const AMPLE: CacheLimits = { pools: 10_000, tokens: 10_000 };

const quiet = { info() {}, warn() {} };

class SimulatedCrash extends Error {}

/** An engine that now and then ends its user instead of running a statement, before or after it took effect. */
function crashing(engine: Engine, random: () => number, probability: number): Engine {
  const mayCrash = () => {
    if (random() < probability) throw new SimulatedCrash();
  };
  return {
    query: (sql, limits) => engine.query(sql, limits),
    stream: (sql, format, limits) => engine.stream(sql, format, limits),
    close: () => engine.close(),
    async execute(sql) {
      mayCrash();
      await engine.execute(sql);
      mayCrash();
    },
    async insert(table, columns, rowBinary) {
      mayCrash();
      await engine.insert(table, columns, rowBinary);
      mayCrash();
    },
  };
}

describe("an indexer over a chain that forks, flips, lags and a process that crashes", () => {
  const folder = mkdtempSync(join(tmpdir(), "quarry-simulation-"));
  let engine: Engine;

  beforeAll(async () => {
    engine = await openEmbeddedEngine({ path: folder });
  });

  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  interface Run {
    engine: Engine;
    cacheLimits: CacheLimits;
  }

  /** Indexes until the source rests and all of it is committed; starts again after each crash. */
  async function follow(name: string, source: FakeSource, run: Run): Promise<void> {
    while (!(await followUntilCrash(name, source, run)));
  }

  async function followUntilCrash(name: string, source: FakeSource, run: Run): Promise<boolean> {
    const stop = new AbortController();
    try {
      const store = await openChainStore(run.engine, name);
      const indexer = new Indexer({
        ...run,
        chain: fakeChainFacts(name, FINALITY),
        source,
        store,
        from: (await store.committed())?.firstBlock ?? 0,
        to: null,
        pollMs: 1,
        signal: stop.signal,
        logger: quiet,
        batchLimits: { blocks: 3, items: 1_000 },
      });
      const running = indexer.run();
      await Promise.race([running, isIndexed(store, source, stop.signal)]);
      stop.abort();
      await running;
      return true;
    } catch (error) {
      if (isCrash(error)) return false;
      throw error;
    } finally {
      stop.abort();
    }
  }

  async function isIndexed(store: ChainStore, source: FakeSource, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const tip = source.canonical.at(-1)?.block;
      if (source.isResting && (await store.committed())?.blockHash === tip?.hash) return;
      await sleep(5);
    }
  }

  async function tables(chain: string) {
    const answers: Record<string, unknown> = {};
    for (const { name, query } of checksumQueries(chain)) answers[name] = (await engine.query(query))[0];
    return answers;
  }

  async function drop(name: string): Promise<void> {
    for (const table of [...TABLE_NAMES, "commits"]) {
      await engine.execute(`DROP TABLE IF EXISTS ${name}_${table} SYNC` as Sql);
    }
  }

  const seeds = Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i);
  it.each(seeds)("seed %i: all tables equal those of a fresh index of the final chain", async (seed) => {
    const random = seeded(seed);
    const source = new FakeSource({ random, maxDepth: FINALITY - 4, moves: MOVES });
    const cacheLimits = seed % 2 === 0 ? TIGHT : AMPLE;
    await follow("sim", source, { engine: crashing(engine, random, 0.004), cacheLimits });
    await follow("fresh", source, { engine, cacheLimits: AMPLE });
    expect(await tables("sim")).toEqual(await tables("fresh"));
    await drop("sim");
    await drop("fresh");
  });
});

function isCrash(error: unknown): boolean {
  if (error instanceof SimulatedCrash) return true;
  return error instanceof Error && error.cause !== undefined && isCrash(error.cause);
}
