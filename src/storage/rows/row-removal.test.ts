import { afterAll, beforeAll, expect, it } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { batchOf } from "../../../test/support/engine/random-rows.ts";
import { sql } from "../../engine-sql/sql-text.ts";
import { openChainStore } from "../clickhouse-store.ts";
import type { Engine } from "../store.ts";
import { removeBlocks } from "./row-removal.ts";

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

async function syncedFiles(): Promise<number> {
  const [row] = await engine.query<{ files: number }>(
    sql`SELECT toFloat64(sum(value)) AS files FROM system.events WHERE event = 'FileSync'`,
  );
  return row?.files ?? 0;
}

it("syncs the parts that it rewrites, whose earlier form is lost", async () => {
  const store = await openChainStore(engine, "rewritten");
  const { rows, ...blocks } = batchOf({ first: 1, last: 3, rowsPerTable: 2 });
  await store.commit({ ...blocks, rows: { logs: rows.logs ?? [] } });
  const synced: number[] = [];
  const counted: Engine = {
    query: (...given) => engine.query(...given),
    stream: (...given) => engine.stream(...given),
    insert: (...given) => engine.insert(...given),
    close: () => Promise.resolve(),
    async execute(statement) {
      const before = await syncedFiles();
      await engine.execute(statement);
      if (statement.startsWith("INSERT")) synced.push((await syncedFiles()) - before);
    },
  };
  await removeBlocks(counted, "rewritten", { first: 3 });
  expect(synced).toEqual([expect.any(Number)]);
  expect(synced[0]).toBeGreaterThan(0);
});
