import { afterAll, beforeAll, expect, it } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { batchOf, blockNamed } from "../../../test/support/engine/random-rows.ts";
import { sql } from "../../engine-sql/sql-text.ts";
import { openChainStore } from "../clickhouse-store.ts";
import type { Engine } from "../store.ts";
import { engineTable } from "./ddl.ts";

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

const batch = (first: number, last: number) => batchOf({ first, last, rowsPerTable: 50 });

function balancesOf(chain: string): Promise<unknown[]> {
  return engine.query(
    sql`SELECT count() AS rows, toString(sum(cityHash64(tuple(*)))) AS sum FROM ${engineTable(chain, "token_balances")}`,
  );
}

it("adds missing indexes to a store of an earlier version, also for its old rows", async () => {
  const before = await openChainStore(engine, "old");
  await before.commit(batch(1, 8));
  await engine.execute(sql`ALTER TABLE old_token_balances DROP PROJECTION by_token_address`);
  await engine.execute(sql`ALTER TABLE old_blocks DROP INDEX skip_block_hash`);
  const rows = await balancesOf("old");

  const store = await openChainStore(engine, "old");
  expect(await balancesOf("old")).toEqual(rows);
  await expect.poll(unfinishedMutations).toEqual([]);
  expect(await indexedRows()).toEqual({ projected: 400, parts: 0 });

  await store.rollback(blockNamed(6));
  const again = await openChainStore(engine, "again");
  await again.commit(batch(1, 6));
  expect(await balancesOf("old")).toEqual(await balancesOf("again"));
});

it("adds the column of commits that a store of an earlier version lacks", async () => {
  const before = await openChainStore(engine, "early");
  await before.commit(batch(1, 2));
  await engine.execute(sql`ALTER TABLE early_commits DROP COLUMN is_amendment`);
  const store = await openChainStore(engine, "early");
  await store.amend(async () => async () => {});
  await store.commit(batch(3, 3));
  expect(
    await engine.query(
      sql`SELECT toUInt32(block_number) AS block, is_amendment FROM early_commits ORDER BY sequence`,
    ),
  ).toEqual([
    { block: 2, is_amendment: 0 },
    { block: 2, is_amendment: 1 },
    { block: 3, is_amendment: 0 },
  ]);
});

it("refuses tables of another data format, which a server may hold, and says what to do", async () => {
  await openChainStore(engine, "odd");
  await engine.execute(sql`ALTER TABLE odd_blocks DROP COLUMN singleton_log_count`);
  await expect(openChainStore(engine, "odd")).rejects.toThrow(
    "The tables of chain odd have another data format: odd_blocks lacks singleton_log_count. Use the version of Quarry",
  );
});

function unfinishedMutations(): Promise<unknown[]> {
  return engine.query(sql`SELECT table, command FROM system.mutations WHERE NOT is_done`);
}

/**
 * Counts the rows in the projection of the balances table, and the parts of the blocks table that have no
 * index.
 */
async function indexedRows(): Promise<unknown> {
  const [found] = await engine.query(
    sql`SELECT (SELECT sum(rows) FROM system.projection_parts WHERE active AND table = 'old_token_balances') AS projected,
      (SELECT count() FROM system.parts WHERE active AND table = 'old_blocks' AND secondary_indices_compressed_bytes = 0) AS parts`,
  );
  return found;
}
