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
