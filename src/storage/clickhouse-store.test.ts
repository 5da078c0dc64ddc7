import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFreshEngine } from "../../test/support/engine/fresh-engine.ts";
import { batchOf, blockNamed } from "../../test/support/engine/random-rows.ts";
import { identifier, join as joinSql, type Sql, sql, text } from "../engine-sql/sql-text.ts";
import { WaitQueue } from "../lib/queues/wait-queue.ts";
import { TABLE_NAMES, tableOf } from "../schema/tables.ts";
import { openChainStore } from "./clickhouse-store.ts";
import { chainCommits, unchangingCommits } from "./commits/commit-log.ts";
import { encodeRows } from "./rows/row-binary.ts";
import type { Batch, ChainStore, Engine } from "./store.ts";
import { engineTable, engineTableName } from "./tables/ddl.ts";

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

/** Reads the number of rows and a checksum over all columns of every table. */
function contents(chain: string): Promise<unknown[]> {
  const selects = TABLE_NAMES.map((table) => {
    const columns = joinSql(Object.keys(tableOf(table).columns).map(identifier));
    return sql`SELECT ${text(table)} AS t, count() AS rows, toString(sum(cityHash64(tuple(${columns})))) AS sum FROM ${engineTable(chain, table)}`;
  });
  return engine.query(sql`SELECT * FROM (${joinSql(selects, " UNION ALL ")}) ORDER BY t`);
}

async function commitAll(chain: string, batches: Batch[]): Promise<void> {
  const store = await openChainStore(engine, chain);
  for (const batch of batches) await store.commit(batch);
}

/** Writes rows without a commit row to some tables, as an interrupted commit does. */
async function leaveRows(chain: string, batch: Batch): Promise<void> {
  for (const table of ["logs", "dex_trades", "token_metadata"] as const) {
    const declared = tableOf(table);
    const chunks = encodeRows(declared, batch.rows[table] ?? []);
    await engine.insert(engineTableName(chain, table), Object.keys(declared.columns), chunks);
  }
}

/** Wraps the engine so that the first `times` statements with this word fail. */
function failing(word: string, times: number): Engine {
  let left = times;
  const check = (statement: string) => {
    if (left > 0 && statement.includes(word)) {
      left--;
      throw new Error(`injected: ${word}`);
    }
  };
  return {
    query: (statement, limits) => engine.query(statement, limits),
    stream: (statement, format, limits) => engine.stream(statement, format, limits),
    execute: async (statement: Sql) => {
      check(statement);
      await engine.execute(statement);
    },
    insert: async (table, columns, rows) => {
      check(table);
      await engine.insert(table, columns, rows);
    },
    close: () => engine.close(),
  };
}

const batch = (first: number, last: number, fork = "a") => batchOf({ first, last, rowsPerTable: 3, fork });

describe("openChainStore", () => {
  it("has no commit at first, and the newest commit after a restart", async () => {
    const store = await openChainStore(engine, "fresh");
    expect(await store.committed()).toBeNull();
    const commit = await store.commit(batch(5, 9));
    const { hash, timestamp } = blockNamed(9);
    expect(commit).toEqual({
      ...{ sequence: 1, firstBlock: 5, blockNumber: 9, blockHash: hash, timestamp },
      ...{ finalized: null, committedAt: expect.any(Number) },
    });
    const again = await openChainStore(engine, "fresh");
    expect(await again.committed()).toEqual(commit);
    expect(await again.commit(batch(10, 10))).toMatchObject({ sequence: 2, firstBlock: 5, blockNumber: 10 });
  });

  it("writes the same tables whatever the batches", async () => {
    await commitAll("one", [batch(1, 12)]);
    await commitAll("many", [batch(1, 5), batch(6, 6), batch(7, 12)]);
    expect(await contents("many")).toEqual(await contents("one"));
  });

  it("accepts blocks without rows", async () => {
    const store = await openChainStore(engine, "bare");
    const commit = await store.commit({ firstBlock: 0, lastBlock: blockNamed(0), rows: {} });
    expect(commit.blockNumber).toBe(0);
    await store.commit({ firstBlock: 1, lastBlock: blockNamed(1), rows: { logs: [] } });
    expect((await store.rollback(blockNamed(0))).blockNumber).toBe(0);
  });

  it("stores a batch once that is committed twice", async () => {
    const store = await openChainStore(engine, "twice");
    const first = await store.commit(batch(1, 3));
    expect(await store.commit(batch(1, 3))).toEqual(first);
    await commitAll("once", [batch(1, 3)]);
    expect(await contents("twice")).toEqual(await contents("once"));
  });

  it("rejects a gap, an overlap, and rows of other blocks", async () => {
    const store = await openChainStore(engine, "order");
    await store.commit(batch(1, 3));
    await expect(store.commit(batch(5, 6))).rejects.toThrow(
      "starts at block 5, but the next block to commit is 4",
    );
    await expect(store.commit(batch(3, 4))).rejects.toThrow("the next block to commit is 4");
    const orphan = { ...batch(4, 4), rows: batch(4, 5).rows };
    await expect(store.commit(orphan)).rejects.toThrow(
      /a row of \w+ belongs to block 5, but its batch covers 4\.\.4/,
    );
    expect((await store.committed())?.blockNumber).toBe(3);
    await store.commit(batch(4, 4));
  });

  it("rejects a second write while one runs", async () => {
    const store = await openChainStore(engine, "parallel");
    const running = store.commit(batch(1, 3));
    await expect(store.commit(batch(4, 4))).rejects.toThrow("still running");
    await running;
  });

  it("removes the rows of an interrupted commit when it opens", async () => {
    await commitAll("whole", [batch(1, 4)]);
    await commitAll("torn", [batch(1, 4)]);
    await leaveRows("torn", batch(5, 8));
    expect(await contents("torn")).not.toEqual(await contents("whole"));
    await openChainStore(engine, "torn");
    expect(await contents("torn")).toEqual(await contents("whole"));
  });

  it("removes the rows of an interrupted first commit when it opens", async () => {
    await openChainStore(engine, "torn_first");
    await leaveRows("torn_first", batch(1, 4));
    const store = await openChainStore(engine, "torn_first");
    expect(await store.committed()).toBeNull();
    await store.commit(batch(1, 4));
    expect(await contents("torn_first")).toEqual(await contents("whole"));
  });

  it.each([
    ["a table", "_erc20", "halfway"],
    ["the commit row", "_commits", "unsaid"],
  ])("cleans up before the next commit if writing %s failed", async (_, word, chain) => {
    await commitAll(chain, [batch(1, 2)]);
    const unreliable = failing("nothing", 0);
    const store = await openChainStore(unreliable, chain);
    Object.assign(unreliable, failing(chain + word, 1));
    await expect(store.commit(batch(3, 4))).rejects.toThrow("injected");
    expect((await store.committed())?.blockNumber).toBe(2);
    await store.commit(batch(3, 4));
    expect(await contents(chain)).toEqual(await contents("whole"));
  });

  it("waits for the slow inserts of a commit after a quick one failed: they must not land later", async () => {
    const slowInserts = new WaitQueue();
    let attempts = 0;
    let isSlow = true;
    const slow: Engine = {
      ...failing("nothing", 0),
      async insert(table, columns, rows) {
        if (table === "slowly_erc20" && attempts++ === 0) throw new Error("injected");
        if (table === "slowly_logs" && isSlow) await slowInserts.wait(undefined);
        await engine.insert(table, columns, rows);
      },
    };
    await commitAll("slowly", [batch(1, 2)]);
    const store = await openChainStore(slow, "slowly");
    const failed = expect(store.commit(batch(3, 4))).rejects.toThrow("injected");
    await expect.poll(() => [attempts, slowInserts.size]).toEqual([1, 1]);
    await expect(store.commit(batch(3, 4))).rejects.toThrow("still running");
    isSlow = false;
    slowInserts.serveAll();
    await failed;
    await store.commit(batch(3, 4));
    expect(await contents("slowly")).toEqual(await contents("whole"));
  });

  it("recovers from a rollback that failed halfway", async () => {
    await commitAll("stuck", [batch(1, 9)]);
    const unreliable = failing("nothing", 0);
    const store = await openChainStore(unreliable, "stuck");
    Object.assign(unreliable, failing("REPLACE PARTITION", 1));
    await expect(store.rollback(blockNamed(4))).rejects.toThrow("injected");
    expect((await store.committed())?.blockNumber).toBe(4);
    await store.commit(batch(5, 5));
    await commitAll("straight", [batch(1, 5)]);
    expect(await contents("stuck")).toEqual(await contents("straight"));
  });

  it("syncs to disk with `fsync`", async () => {
    const store = await openChainStore(engine, "synced", { fsync: true });
    await store.commit(batch(1, 1));
    const [row] = await engine.query<{ create_table_query: string }>(
      sql`SELECT create_table_query FROM system.tables WHERE name = 'synced_logs'`,
    );
    expect(row?.create_table_query).toContain("fsync_after_insert = 1");
  });
});

describe("rollback", () => {
  it("leaves the tables of a fresh index after any reorgs", async () => {
    const store = await openChainStore(engine, "reorged");
    for (let block = 1; block <= 12; block++) await store.commit(batch(block, block));
    await engine.execute(sql`OPTIMIZE TABLE reorged_dex_trades FINAL`);
    await store.rollback(blockNamed(11));
    await store.commit(batch(12, 14, "b"));
    await store.rollback(blockNamed(3));
    await store.commit(batch(4, 6, "c"));
    await store.rollback(blockNamed(5, "c"));
    const commit = await store.commit(batch(6, 9, "d"));
    expect(commit).toMatchObject({
      sequence: 18,
      firstBlock: 1,
      blockNumber: 9,
      blockHash: blockNamed(9, "d").hash,
    });
    await commitAll("never_reorged", [batch(1, 3), batch(4, 5, "c"), batch(6, 9, "d")]);
    expect(await contents("reorged")).toEqual(await contents("never_reorged"));
  });

  it("shows readers all rows up to the new newest block at every moment", async () => {
    const store = await openChainStore(engine, "watched");
    await store.commit(batchOf({ first: 1, last: 200, rowsPerTable: 5 }));
    let rolling = true;
    const seen = new Set<number>();
    const watching = (async () => {
      while (rolling) {
        const [row] = await engine.query<{ n: number }>(
          sql`SELECT count() AS n FROM watched_logs WHERE block_number <= 50`,
        );
        seen.add(row?.n ?? -1);
      }
    })();
    for (let block = 199; block > 190; block--) await store.rollback(blockNamed(block));
    rolling = false;
    await watching;
    expect([...seen]).toEqual([250]);
  });

  it("removes everything, down to before the first block", async () => {
    const store = await openChainStore(engine, "emptied");
    await store.commit(batch(5, 9));
    await store.rollback(blockNamed(4));
    const [row] = await engine.query<{ n: number }>(sql`SELECT count() AS n FROM emptied_blocks`);
    expect(row?.n).toBe(0);
    await store.commit(batch(5, 6));
  });

  it("accepts another block before the first for an empty store", async () => {
    const store = await openChainStore(engine, "emptied_twice");
    await store.commit(batch(5, 9));
    await store.rollback(blockNamed(4));
    const again = await store.rollback(blockNamed(4, "b"));
    expect(again).toMatchObject({ blockNumber: 4, firstBlock: 5, blockHash: blockNamed(4, "b").hash });
    expect(await store.committed()).toEqual(again);
  });

  it("rejects a block that is not committed, or another block of the same number", async () => {
    const store = await openChainStore(engine, "wrong");
    await expect(store.rollback(blockNamed(1))).rejects.toThrow("nothing is committed");
    const newest = await store.commit(batch(5, 9));
    await expect(store.rollback(blockNamed(10))).rejects.toThrow("the newest committed block is 9");
    await expect(store.rollback(blockNamed(3))).rejects.toThrow("the first committed block is 5");
    await expect(store.rollback(blockNamed(9, "b"))).rejects.toThrow("has that number but hash");
    expect(await store.rollback(blockNamed(9))).toEqual(newest);
  });
});

it("removes everything from tables with manually deleted rows", async () => {
  const store = await openChainStore(engine, "masked");
  await store.commit(batch(5, 9));
  // The engine rejects a DELETE like this on a table with a projection.
  for (const table of TABLE_NAMES.filter((name) => tableOf(name).projection === undefined)) {
    const block = identifier(tableOf(table).blockColumn);
    await engine.execute(sql`DELETE FROM ${engineTable("masked", table)} WHERE ${block} = 7`);
  }
  await store.rollback(blockNamed(4));
  const selects = TABLE_NAMES.map(
    (table) => sql`SELECT count() AS rows FROM ${engineTable("masked", table)}`,
  );
  const counts = await engine.query<{ rows: number }>(joinSql(selects, " UNION ALL "));
  expect(counts.map(({ rows }) => rows)).toEqual(TABLE_NAMES.map(() => 0));
});

describe("the final block", () => {
  const finalAfter = async (store: ChainStore) => (await store.committed())?.finalized;

  it("is stored with each commit, never above the newest block and never lower than before", async () => {
    const store = await openChainStore(engine, "final");
    await store.commit({ ...batch(5, 9), finalized: 20 });
    expect(await finalAfter(store)).toBe(9);
    await store.commit({ ...batch(10, 12), finalized: null });
    expect(await finalAfter(store)).toBe(9);
    await store.commit({ ...batch(13, 13), finalized: 11 });
    expect(await finalAfter(await openChainStore(engine, "final"))).toBe(11);
    await store.rollback(blockNamed(12));
    expect(await finalAfter(store)).toBe(11);
    await store.rollback(blockNamed(7));
    expect(await finalAfter(store)).toBe(7);
    await store.rollback(blockNamed(4));
    expect(await finalAfter(store)).toBeNull();
  });
});

describe("replace", () => {
  it("replaces the rows of blocks, and changes no others", async () => {
    const store = await openChainStore(engine, "repaired");
    await store.commit({ ...batch(1, 4), rows: batch(1, 3).rows });
    await store.commit(batch(5, 9));
    const before = await store.committed();
    const repaired = await store.replace({ first: 3, last: 4 }, batch(3, 4).rows);
    await commitAll("whole", [batch(1, 4), batch(5, 9)]);
    expect(await contents("repaired")).toEqual(await contents("whole"));
    expect(repaired).toEqual({ ...before, sequence: 3, committedAt: expect.any(Number) });
    const reopened = await openChainStore(engine, "repaired");
    expect(await reopened.committed()).toEqual(repaired);
    await reopened.commit(batch(10, 10));
  });

  it("rejects blocks that are not committed, and rows of other blocks", async () => {
    const store = await openChainStore(engine, "unrepaired");
    await expect(store.replace({ first: 1, last: 1 }, {})).rejects.toThrow("no blocks are committed");
    await store.commit(batch(5, 9));
    for (const [first, last] of [
      [4, 5],
      [9, 10],
      [7, 6],
    ] as const) {
      await expect(store.replace({ first, last }, {})).rejects.toThrow("only blocks 5 to 9 are committed");
    }
    await expect(store.replace({ first: 6, last: 6 }, batch(7, 7).rows)).rejects.toThrow(
      "belongs to block 7",
    );
  });
});

describe("chainCommits", () => {
  it("reads what a writer commits, and creates nothing", async () => {
    const reader = chainCommits(engine, "shown");
    expect(await reader.committed()).toBeNull();
    expect(await engine.query(sql`SELECT name FROM system.tables WHERE name LIKE 'shown%'`)).toEqual([]);
    const writer = await openChainStore(engine, "shown");
    const commit = await writer.commit(batch(1, 2));
    expect(await reader.committed()).toEqual(commit);
  });
});

describe("unchangingCommits", () => {
  it("queries until there is a commit, then no more", async () => {
    let queries = 0;
    const counted: Engine = {
      query: (...given) => {
        queries++;
        return engine.query(...given);
      },
      stream: (...given) => engine.stream(...given),
      execute: (...given) => engine.execute(...given),
      insert: (...given) => engine.insert(...given),
      close: () => Promise.resolve(),
    };
    const reader = unchangingCommits(counted, "settled");
    expect(await reader.committed()).toBeNull();
    const writer = await openChainStore(engine, "settled");
    const commit = await writer.commit(batch(1, 2));
    expect(await reader.committed()).toEqual(commit);
    const before = queries;
    expect(await reader.committed()).toEqual(commit);
    expect(queries).toBe(before);
  });
});
