import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startClickHouse } from "../../test/support/engine/clickhouse-server.ts";
import { batchOf } from "../../test/support/engine/random-rows.ts";
import { ethereum } from "../chains/ethereum.ts";
import { rollbackChain } from "../doctor/repair/rollback-chain.ts";
import { sql } from "../engine-sql/sql-text.ts";
import { openStore } from "./open-store.ts";

const folder = mkdtempSync(join(tmpdir(), "quarry-open-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("openStore", () => {
  it("limits the memory of the embedded engine with engineMemory", async () => {
    const store = await openStore({ data: folder, engineMemory: 700 });
    const [bound] = await store.engine.query<{ value: string }>(
      sql`SELECT value FROM system.server_settings WHERE name = 'max_server_memory_usage'`,
    );
    await store.close();
    expect(bound?.value).toBe(String(700 * 2 ** 20));
  });

  it("rejects a memory limit for a server, which would ignore it", async () => {
    const options = { data: folder, clickhouse: "http://127.0.0.1:1", engineMemory: 700 };
    await expect(openStore(options)).rejects.toThrow(/--engine-memory .* Omit the limit/);
  });

  it("opens a chain on a server again under its own lease, after a repair emptied it", async () => {
    const server = await startClickHouse(join(folder, "server"));
    const store = await openStore({ data: folder, clickhouse: server.url });
    try {
      const chain = ethereum;
      const reopen = () => store.openChain(chain);
      const opened = await reopen();
      await opened.commit(batchOf({ first: 0, last: 2, rowsPerTable: 1 }));
      const emptied = await rollbackChain(0, { engine: store.engine, chain, store: opened, reopen });
      expect(await emptied.committed()).toBeNull();
      await emptied.commit(batchOf({ first: 0, last: 1, rowsPerTable: 1 }));
    } finally {
      await store.close();
      await server.stop();
    }
  });
});
