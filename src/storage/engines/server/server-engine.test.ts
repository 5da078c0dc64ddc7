import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClickHouseServer, startClickHouse } from "../../../../test/support/engine/clickhouse-server.ts";
import { describeEngine } from "../../../../test/support/engine/engine-contract.ts";
import { batchOf } from "../../../../test/support/engine/random-rows.ts";
import { sql } from "../../../engine-sql/sql-text.ts";
import { openChainStore } from "../../clickhouse-store.ts";
import { connectServerEngine } from "./server-engine.ts";

/** Takes a minute, unless it is killed between two rows. */
const SLOW_WRITE = sql`INSERT INTO slow SELECT sleepEachRow(1) FROM numbers(60) SETTINGS max_block_size = 1`;

const directory = mkdtempSync(join(tmpdir(), "quarry-server-"));
let server: ClickHouseServer;

beforeAll(async () => {
  server = await startClickHouse(directory);
});

afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true });
});

describeEngine("connectServerEngine", async () => {
  const engine = await connectServerEngine(server);
  return { engine, close: () => engine.close() };
});

describe("connectServerEngine, over the network", () => {
  it("can hold a chain store: commit, rollback, commit", async () => {
    const engine = await connectServerEngine(server);
    const store = await openChainStore(engine, "eth");
    await store.commit(batchOf({ first: 10, last: 19, rowsPerTable: 3 }));
    await store.rollback({ number: 14, hash: `0x${"0e".repeat(32)}`, timestamp: 1_700_000_168 });
    await store.commit(batchOf({ first: 15, last: 15, rowsPerTable: 3, fork: "b" }));
    const [found] = await engine.query(
      sql`SELECT count() AS rows, max(block_number) AS newest FROM eth_logs`,
    );
    expect(found).toEqual({ rows: 18, newest: 15 });
    await engine.close();
  });

  it("ends the writes of earlier holders of a lease, but not those of others", async () => {
    const [own, earlier] = [await connectServerEngine(server), await connectServerEngine(server)];
    const holder = own.forLeaseholder?.("eth");
    const writers = [earlier.forLeaseholder?.("eth"), earlier.forLeaseholder?.("ethereum"), holder, earlier];
    await own.execute(sql`CREATE TABLE slow (slept UInt8) ENGINE = MergeTree ORDER BY ()`);
    const ended: number[] = [];
    const running = writers.map((writer, i) => writer?.execute(SLOW_WRITE).catch(() => void ended.push(i)));
    const runningWrites = async () => {
      const [found] = await own.query<{ n: number }>(sql`SELECT count() AS n FROM system.processes
        WHERE query LIKE '%sleepEachRow(1) FROM numbers%' AND query NOT LIKE '%system.processes%'`);
      return found?.n;
    };
    await expect.poll(runningWrites).toBe(4);
    await holder?.settleWrites?.();
    expect(await runningWrites()).toBe(3);
    await expect.poll(() => ended).toEqual([0]);
    await own.execute(sql`KILL QUERY WHERE query LIKE 'INSERT INTO slow%' SYNC`);
    await Promise.all(running);
    await Promise.all([own.close(), earlier.close()]);
  });

  it("distinguishes a server that does not respond from a statement that fails", async () => {
    await expect(connectServerEngine({ url: "http://127.0.0.1:1" })).rejects.toMatchObject({
      code: "unavailable",
      retryable: true,
      message: expect.stringMatching(/^The ClickHouse server at http:.* does not respond/),
    });
  });

  it.each(["tcp://host:9000", "host", ""])("refuses the address %j", async (address) => {
    await expect(connectServerEngine({ url: address })).rejects.toMatchObject({ code: "bad-config" });
  });
});
