import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { batchOf, blockNamed } from "../../../test/support/engine/random-rows.ts";
import { identifier, join, sql } from "../../engine-sql/sql-text.ts";
import { type ChainStoreOptions, openChainStore } from "../clickhouse-store.ts";
import type { ChainStore, Engine } from "../store.ts";
import { summaryTableNames } from "../tables/summary-tables.ts";
import { newestCheckpoint } from "./price-summary.ts";

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

const batch = (first: number, last: number) => batchOf({ first, last, rowsPerTable: 2 });

/** An engine that fails before it marks the second checkpoint as complete. */
function interrupting(chain: string): Engine {
  let checkpoints = 0;
  return {
    query: (...given) => engine.query(...given),
    stream: (...given) => engine.stream(...given),
    insert: (...given) => engine.insert(...given),
    close: () => Promise.resolve(),
    async execute(statement) {
      const isComplete = new RegExp(`INSERT INTO .${chain}_seals. VALUES \\(\\d+, 1,`).test(statement);
      if (isComplete && ++checkpoints === 2) throw new Error("interrupted");
      await engine.execute(statement);
    },
  };
}

const OPTIONS: ChainStoreOptions = { checkpointBlocks: 10 };

/** Commits 40 blocks, with a checkpoint at block 10 and an interrupted one at block 30. */
async function interruptedStore(chain: string): Promise<ChainStore> {
  const store = await openChainStore(interrupting(chain), chain, OPTIONS);
  await store.commit({ ...batch(1, 20), finalized: 10 });
  await store.commit({ ...batch(21, 40), finalized: 30 });
  await expect(store.commit(batch(41, 41))).rejects.toThrow("interrupted");
  expect(await newestCheckpoint(engine, chain)).toMatchObject({ complete: 10, started: 30 });
  return store;
}

async function summaryRows(chain: string): Promise<number> {
  const counts = summaryTableNames(chain).map((name) => sql`SELECT count() AS n FROM ${identifier(name)}`);
  const [row] = await engine.query<{ n: number }>(
    sql`SELECT toFloat64(sum(n)) AS n FROM (${join(counts, " UNION ALL ")})`,
  );
  return row?.n ?? 0;
}

describe("a rollback below a checkpoint that was interrupted", () => {
  it("empties the summary, which has rows of the blocks above", async () => {
    const store = await interruptedStore("failed");
    await store.rollback(blockNamed(20));
    expect(await summaryRows("failed")).toBe(0);
  });

  it("does so in another process, too", async () => {
    await interruptedStore("killed");
    const store = await openChainStore(engine, "killed", OPTIONS);
    await store.rollback(blockNamed(20));
    expect(await summaryRows("killed")).toBe(0);
  });

  it("keeps the summary if it is above the blocks of that checkpoint", async () => {
    await interruptedStore("kept");
    const store = await openChainStore(engine, "kept", OPTIONS);
    await store.rollback(blockNamed(35));
    expect(await newestCheckpoint(engine, "kept")).toMatchObject({ complete: 10, started: 30 });
    await store.commit(batch(36, 36));
    expect(await newestCheckpoint(engine, "kept")).toMatchObject({ complete: 30, started: 30 });
  });
});
