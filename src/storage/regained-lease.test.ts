import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFreshEngine } from "../../test/support/engine/fresh-engine.ts";
import { batchOf, blockNamed } from "../../test/support/engine/random-rows.ts";
import { type Checksums, checksums } from "../../test/support/engine/table-checksums.ts";
import { testLease } from "../../test/support/engine/test-lease.ts";
import { sql } from "../engine-sql/sql-text.ts";
import { openChainStore } from "./clickhouse-store.ts";
import { type Amendment, draftAmendment } from "./rows/amendment.ts";
import type { ChainStore, Engine } from "./store.ts";

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

it("a store that regains its lease continues after what another process committed meanwhile", async () => {
  const lease = testLease("eth");
  const store = await openChainStore(engine, "eth", { lease });
  await store.commit(batchOf({ first: 10, last: 12, rowsPerTable: 2 }));

  lease.isHeld = false;
  const next = batchOf({ first: 13, last: 13, rowsPerTable: 2 });
  await expect(store.commit(next)).rejects.toThrow("the lease is lost");
  const other = await openChainStore(engine, "eth");
  await other.commit(next);

  // The store of a copy shares the lease, and may regain it first.
  await lease.regain();
  await expect(store.commit(next)).rejects.toThrow("was lost and regained");
  await store.recover();
  expect((await store.committed())?.blockNumber).toBe(13);
  const { sequence } = await store.commit(batchOf({ first: 14, last: 14, rowsPerTable: 2 }));
  expect(sequence).toBe(3);
});

it("a checkpoint that failed is ended before it is tried again", async () => {
  const settled: string[] = [];
  let isLost = false;
  const losing: Engine = {
    query: (...given) => engine.query(...given),
    stream: (...given) => engine.stream(...given),
    execute: async (statement) => {
      await engine.execute(statement);
      if (isLost && statement.includes("INSERT INTO `failed_token_months`"))
        throw new Error("the answer is lost");
    },
    insert: (...given) => engine.insert(...given),
    settleWrites: async () => void settled.push(isLost ? "after the loss" : "before"),
    close: () => Promise.resolve(),
  };
  const store = await openChainStore(losing, "failed", { checkpointBlocks: 1 });
  await store.commit({ ...batch(10, 12), finalized: 10 });
  isLost = true;
  await expect(store.commit(batch(13, 13))).rejects.toThrow("the answer is lost");
  expect(settled).not.toContain("after the loss");
  await store.recover();
  expect(settled.filter((when) => when === "after the loss")).toHaveLength(1);
  isLost = false;
  expect(await store.commit(batch(13, 13))).toMatchObject({ blockNumber: 13 });
});

const batch = (first: number, last: number, fork = "a") => batchOf({ first, last, rowsPerTable: 2, fork });

/**
 * Returns the engine of a process that is suspended once: after the next statement with these words while
 * `isDue` is true.
 */
function suspending(words: string, suspension: { isDue: boolean; meanwhile(): Promise<void> }): Engine {
  const send = async <T>(statement: string, run: () => Promise<T>): Promise<T> => {
    const result = await run();
    if (!suspension.isDue || !statement.includes(words)) return result;
    suspension.isDue = false;
    await suspension.meanwhile();
    return result;
  };
  return {
    query: (statement, limits) => send(statement, () => engine.query(statement, limits)),
    stream: (...given) => engine.stream(...given),
    execute: (statement) => send(statement, () => engine.execute(statement)),
    insert: (...given) => send(`INSERT INTO ${given[0]}`, () => engine.insert(...given)),
    close: () => Promise.resolve(),
  };
}

interface Interruption {
  name: string;
  chain: string;
  /** Statement after which the writer is suspended. */
  statement: string;
  /** What the writer was doing. */
  write(store: ChainStore): Promise<unknown>;
  /** What its successor does meanwhile. */
  succeed(successor: ChainStore): Promise<unknown>;
}

const EVERY_BALANCE: Amendment = {
  chain: "draft",
  isChanged: sql`1`,
  changed: (table, where) => sql`SELECT * FROM ${table} WHERE ${where}`,
};

const INTERRUPTIONS: Interruption[] = [
  {
    name: "a rollback, after its commit",
    chain: "rollback",
    statement: "INSERT INTO `rollback_commits`",
    write: (store) => store.rollback(blockNamed(11)),
    succeed: (successor) => successor.commit(batch(12, 13, "b")),
  },
  {
    name: "a rollback, after it found the rows to remove",
    chain: "removal",
    statement: "AS copied",
    write: (store) => store.rollback(blockNamed(11)),
    succeed: (successor) => successor.commit(batch(12, 13, "b")),
  },
  {
    name: "a commit, in the checkpoint before it",
    chain: "checkpoint",
    statement: "INSERT INTO `checkpoint_seals`",
    write: (store) => store.commit(batch(13, 13)),
    succeed: (successor) => successor.commit(batch(13, 13)),
  },
  {
    name: "a repair, after it found the rows to replace",
    chain: "repair",
    statement: "AS copied",
    write: (store) => store.replace({ first: 11, last: 11 }, batch(11, 11).rows),
    succeed: (successor) => successor.rollback(blockNamed(10)),
  },
  {
    name: "an import, between two tables",
    chain: "import",
    statement: "INSERT INTO import_logs",
    write: (store) =>
      store.load(batch(13, 13), async (guarded) => {
        for (const table of [sql`import_logs`, sql`import_erc20`])
          await guarded.execute(sql`INSERT INTO ${table} SELECT * REPLACE (13 AS block_number) FROM ${table}
            WHERE block_number = 12`);
      }),
    succeed: (successor) => successor.commit(batch(13, 13)),
  },
  {
    name: "a change of balances, after its first step",
    chain: "balances",
    statement: "OPTIMIZE TABLE balances_logs",
    write: (store) =>
      store.amend(async (_, guarded) => async () => {
        await guarded.execute(sql`OPTIMIZE TABLE balances_logs`);
        await guarded.execute(sql`TRUNCATE TABLE balances_logs`);
      }),
    succeed: (successor) => successor.commit(batch(13, 13)),
  },
  {
    name: "the draft of a change of balances, after its first step",
    chain: "draft",
    statement: "CREATE TABLE `draft_token_balances_draft`",
    write: (store) => draftAmendment(store.guarded, EVERY_BALANCE, { upTo: 12 }),
    succeed: (successor) => draftAmendment(successor.guarded, EVERY_BALANCE, { upTo: 12 }),
  },
  {
    name: "other maintenance, after its first step",
    chain: "maintenance",
    statement: "OPTIMIZE TABLE maintenance_logs",
    write: (store) =>
      store.maintain(async (guarded) => {
        await guarded.execute(sql`OPTIMIZE TABLE maintenance_logs`);
        await guarded.execute(sql`TRUNCATE TABLE maintenance_logs`);
      }),
    succeed: (successor) => successor.commit(batch(13, 13)),
  },
];

describe("a writer that is suspended until it has a successor changes none of its rows", () => {
  it.each(INTERRUPTIONS)("during $name", async ({ chain, statement, write, succeed }) => {
    const lease = testLease("eth");
    let left: Checksums | undefined;
    const first = await openChainStore(engine, chain);
    await first.commit({ ...batch(10, 12), finalized: 10 });
    const suspension = {
      isDue: false,
      async meanwhile() {
        lease.isHeld = false;
        await succeed(await openChainStore(engine, chain));
        left = await checksums(engine, chain);
      },
    };
    const suspended = suspending(statement, suspension);
    const store = await openChainStore(suspended, chain, { lease, checkpointBlocks: 1 });
    suspension.isDue = true;
    await expect.soft(write(store)).rejects.toThrow("the lease is lost");
    expect(await checksums(engine, chain)).toEqual(left);
  });
});
