import { afterAll, beforeAll, expect, it } from "vitest";
import { dyingEngine } from "../../../test/support/engine/dying-engine.ts";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { batchOf } from "../../../test/support/engine/random-rows.ts";
import { checksumQueries } from "../../../test/support/engine/table-checksums.ts";
import { sql } from "../../engine-sql/sql-text.ts";
import type { Rows } from "../../schema/tables.ts";
import { openChainStore } from "../clickhouse-store.ts";
import { newestCommit, settledCommit, wasRewritten } from "../commits/commit-log.ts";
import type { ChainStore, Commit, Engine } from "../store.ts";

const NAME = "repaired";
const DAMAGED = { first: 3, last: 4 };
const DRAFT_STEP = 17;
const SHOWN_STEP = 6;

let engine: Engine;
let close: () => Promise<void>;
let store: ChainStore;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
  store = await openChainStore(engine, NAME);
  const { rows, ...blocks } = batchOf({ first: 1, last: 9, rowsPerTable: 3 });
  // The repair removes the only rows of one table, and adds the first rows of another.
  const erc20 = (rows.erc20 ?? []).filter(({ block_number: n }) => n === 3);
  await store.commit({ ...blocks, rows: { ...rows, erc20, dex_trades: [] } });
});
afterAll(() => close());

const repairedRows: Rows = { ...batchOf({ ...DAMAGED, rowsPerTable: 4, fork: "b" }).rows, erc20: [] };
const damagedRows: Rows = { ...batchOf({ ...DAMAGED, rowsPerTable: 2 }).rows, dex_trades: [] };

async function contents(): Promise<string> {
  const answers = await Promise.all(checksumQueries(NAME).map(({ query }) => engine.query(query)));
  return JSON.stringify(answers);
}

async function committed(): Promise<Commit> {
  const commit = await newestCommit(engine, NAME);
  if (commit === null) throw new Error("nothing is committed");
  return commit;
}

/** Replaces the rows, and is killed before its n-th write. Returns whether it was. */
async function dieBefore(n: number): Promise<boolean> {
  const mortal = dyingEngine(engine);
  const dying = await openChainStore(mortal, NAME);
  mortal.dieBefore(n);
  return dying.replace(DAMAGED, repairedRows).then(
    () => false,
    () => true,
  );
}

it("replaced rows are all old or all new, wherever the process is killed, and readers notice the rest", async () => {
  await store.replace(DAMAGED, repairedRows);
  const repaired = await contents();
  await store.replace(DAMAGED, damagedRows);
  const damaged = await contents();
  expect(damaged).not.toBe(repaired);
  const ends = { old: 0, new: 0, unreadable: 0 };
  // There are many writes before the replacement takes effect, and few from then until the commit.
  for (let n = 1; ; n += ends.unreadable === 0 ? DRAFT_STEP : SHOWN_STEP) {
    const before = await committed();
    const isDead = await dieBefore(n);
    const left = await contents();
    const isReadable = !(await wasRewritten(engine, NAME, before));
    if (isReadable) expect([n, left]).toEqual([n, damaged]);
    else ends.unreadable++;
    store = await openChainStore(engine, NAME);
    const now = await contents();
    const isNew = await wasRewritten(engine, NAME, before);
    expect([n, now]).toEqual([n, isNew ? repaired : damaged]);
    expect((await settledCommit(engine, NAME))?.sequence).toBe((await committed()).sequence);
    ends[isNew ? "new" : "old"]++;
    if (!isDead) break;
    if (isNew) await store.replace(DAMAGED, damagedRows);
  }
  expect(Math.min(...Object.values(ends))).toBeGreaterThan(0);
  const left = await engine.query(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE '%repl%'`,
  );
  expect(left).toEqual([]);
}, 180_000);
