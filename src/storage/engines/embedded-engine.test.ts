import { spawnSync } from "node:child_process";
import { setMaxListeners } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { describeEngine } from "../../../test/support/engine/engine-contract.ts";
import { withoutFileHandles } from "../../../test/support/processes/file-handles.ts";
import { type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Engine } from "../store.ts";
import { openEmbeddedEngine } from "./embedded-engine.ts";

const directory = mkdtempSync(join(tmpdir(), "quarry-engine-"));
afterAll(() => rmSync(directory, { recursive: true }));

let engine: Engine;

describeEngine("openEmbeddedEngine", async () => {
  engine = await openEmbeddedEngine({ path: directory, memoryBytes: 4e9 });
  return { engine, close: async () => {} };
});

describe("openEmbeddedEngine, in its process", () => {
  it("leaves no transfer files", () => {
    const left = readdirSync(join(directory, "transfer")).filter((name) => !name.startsWith("pipe-"));
    expect(left).toEqual([]);
  });

  it("rejects a second process on the same directory", () => {
    const script = `
      import { openEmbeddedEngine } from ${JSON.stringify(join(import.meta.dirname, "embedded-engine.ts"))};
      openEmbeddedEngine({ path: ${JSON.stringify(directory)} }).then(
        () => process.exit(3),
        (error) => { console.log(error.code, error.message); process.exit(4); });`;
    const child = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      encoding: "utf8",
    });
    expect(child.stdout).toMatch(/^data-directory Cannot open the database in .* in use by another process/);
    expect(child.status).toBe(4);
  });

  it("does not start with too few threads", async () => {
    const size = process.env.UV_THREADPOOL_SIZE;
    delete process.env.UV_THREADPOOL_SIZE;
    try {
      await expect(openEmbeddedEngine({ path: directory })).rejects.toMatchObject({
        code: "bad-config",
        message: expect.stringContaining("Set UV_THREADPOOL_SIZE=16"),
      });
    } finally {
      process.env.UV_THREADPOOL_SIZE = size;
    }
  });

  it("rejects queries with `busy` when too many wait", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    setMaxListeners(0, signal);
    const queries = Array.from({ length: 7 + 256 }, () =>
      engine.query(sql`SELECT sum(sipHash64(number)) AS s FROM numbers(100000000000)`, { signal }),
    );
    const all = Promise.allSettled(queries);
    await expect(engine.query(sql`SELECT 1`)).rejects.toMatchObject({ code: "busy", retryable: true });
    controller.abort(new Error("enough"));
    for (const result of await all) expect(result).toMatchObject({ reason: { message: "enough" } });
    expect(await engine.query(sql`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
  });

  it("includes the wait for a session in a query's time limit", async () => {
    const slow = Array.from({ length: 7 }, () => engine.query(sql`SELECT sleep(0.4) AS s`));
    await expect(engine.query(sql`SELECT 1`, { timeoutMs: 100 })).rejects.toMatchObject({ code: "timeout" });
    await Promise.all(slow);
  });

  it("uses no CPU time for a cancelled query", async () => {
    const controller = new AbortController();
    const heavy = sql`SELECT sum(sipHash64(number)) AS s FROM numbers(100000000000)`;
    const running = engine.query(heavy, { signal: controller.signal }).catch(() => {});
    await setTimeout(300);
    controller.abort(new Error("client left"));
    await running;
    const before = process.cpuUsage();
    await setTimeout(1_000);
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });

  it("does not end a later query with one that is cancelled as it ends", async () => {
    const count = sql`SELECT count() AS n FROM numbers(30000000) WHERE number % 3 = 0`;
    const started = performance.now();
    for (let i = 0; i < 5; i++) await engine.query(count);
    const usual = (performance.now() - started) / 5;
    let cancellations = 0;
    for (let i = 0; i < 60; i++) {
      const controller = new AbortController();
      const cancelled = engine.query(count, { signal: controller.signal });
      await setTimeout(usual * (0.1 + i / 40));
      controller.abort(new Error("client left"));
      await cancelled.catch(() => cancellations++);
      expect(await engine.query(count)).toEqual([{ n: 10_000_000 }]);
    }
    expect(cancellations).toBeGreaterThan(0);
  });

  it("rejects a text beyond the engine's largest with `memory`", async () => {
    const long = engine.query(sql`SELECT length(repeat(repeat('ten signs.', 1000000), 1000000)) AS bytes`);
    await expect(long).rejects.toMatchObject({ code: "memory" });
  });

  it("fails with `unavailable` while the process has no file handle left, and works again afterwards", async () => {
    await engine.execute(sql`CREATE TABLE handles (n UInt8) ENGINE = MergeTree ORDER BY n`);
    const insert = (print?: () => Sql) => engine.insert("handles", ["n"], [Uint8Array.of(1)], print);
    await insert();
    await withoutFileHandles(async () => {
      const unavailable = { code: "unavailable", retryable: true };
      await expect(insert()).rejects.toMatchObject(unavailable);
      await expect(insert(() => sql`(1)`)).rejects.toMatchObject(unavailable);
      await expect(engine.query(sql`SELECT count() FROM handles`)).rejects.toMatchObject(unavailable);
    });
    await insert();
    expect(await engine.query(sql`SELECT toUInt8(count()) AS rows FROM handles`)).toEqual([{ rows: 2 }]);
  });

  it("frees the memory and the locks of failed statements", async () => {
    const greedy = sql`SELECT count() AS n FROM (SELECT number FROM numbers(100000000) GROUP BY number)`;
    const failing = Array.from({ length: 4 }, () => engine.query(greedy, { memoryBytes: 100e6 }));
    for (const result of await Promise.allSettled(failing)) {
      expect(result).toMatchObject({ status: "rejected", reason: { code: "memory" } });
    }
    const running = await engine.query(sql`SELECT memory_usage FROM system.processes`);
    expect(running).toHaveLength(1);
  });

  it("waits for running statements when it closes, and rejects later ones", async () => {
    const running = engine.query(sql`SELECT sleep(0.3) AS s`);
    await Promise.all([engine.close(), expect(running).resolves.toEqual([{ s: 0 }])]);
    await expect(engine.query(sql`SELECT 1`)).rejects.toMatchObject({ code: "not-ready" });
  });
});
