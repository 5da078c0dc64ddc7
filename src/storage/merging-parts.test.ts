import { afterAll, beforeAll, expect, it } from "vitest";
import { openFreshEngine } from "../../test/support/engine/fresh-engine.ts";
import { batchOf, blockNamed } from "../../test/support/engine/random-rows.ts";
import { checksums } from "../../test/support/engine/table-checksums.ts";
import { sql } from "../engine-sql/sql-text.ts";
import { TABLE_NAMES } from "../schema/tables.ts";
import { openChainStore } from "./clickhouse-store.ts";
import type { Engine } from "./store.ts";
import { engineTable } from "./tables/ddl.ts";

/**
 * Number of commits and rollbacks. Each rebuilds a partition of every table, and merges overtake some of
 * these rebuilds. For a longer run: QUARRY_MERGE_ROUNDS=40.
 */
const ROUNDS = Number(process.env.QUARRY_MERGE_ROUNDS ?? 12);

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

const batch = (first: number, last: number) => batchOf({ first, last, rowsPerTable: 3, fork: "a" });

it("rolls back the right rows while parts merge all the time", {
  timeout: 60_000 + ROUNDS * 5_000,
}, async () => {
  const store = await openChainStore(engine, "merging");
  let isOver = false;
  const merging = (async () => {
    while (!isOver) {
      for (const table of TABLE_NAMES) {
        await engine.execute(sql`OPTIMIZE TABLE ${engineTable("merging", table)}`).catch(() => undefined);
      }
    }
  })();
  let next = 1;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await store.commit(batch(next, next + 2));
      next += 3;
      await store.rollback(blockNamed(next - 2 - (round % 2)));
      next -= 1 + (round % 2);
    }
  } finally {
    isOver = true;
    await merging;
  }
  const unmerged = await openChainStore(engine, "unmerged");
  await unmerged.commit(batch(1, next - 1));
  expect(await checksums(engine, "merging")).toEqual(await checksums(engine, "unmerged"));
});
