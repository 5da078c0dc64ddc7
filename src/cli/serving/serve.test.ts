import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { apiAt } from "../../../test/support/processes/processes.ts";
import { defaultSettings } from "../../config/settings.ts";
import { HeadAges } from "../../ingest/state/head-ages.ts";
import { NOTHING_DONE } from "../../ingest/state/index-counters.ts";
import { systemClock } from "../../lib/async/clock.ts";
import { commitTrades, ETH, hexOf } from "../../reads/support/market.ts";
import { chainCommits } from "../../storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../../storage/engines/embedded-engine.ts";
import type { Engine, QueryLimits } from "../../storage/store.ts";
import { openForWriting } from "../open-store.ts";
import { API_SETTINGS } from "./api-settings.ts";
import { type IndexedChain, listen } from "./serve.ts";
import { oneStore, type ServiceStores } from "./served-stores.ts";

const AT = 1_700_000_000;
const SETTINGS = {
  ...defaultSettings(API_SETTINGS),
  port: 0,
  answerMemory: 64,
  sqlCacheMemory: 64,
  servingMemory: 64,
};

const folder = mkdtempSync(join(tmpdir(), "quarry-serve-"));
let engine: Engine;
let indexed: IndexedChain;
let outage: string | null = null;

beforeAll(async () => {
  engine = await openEmbeddedEngine({ path: folder });
  const chainStore = await openForWriting(engine, ETH);
  const trades = Array.from({ length: 300 }, (_, i) => ({ token: hexOf(i), at: AT, price: 1 }));
  await commitTrades(chainStore, trades, { firstBlock: 1000 });
  indexed = {
    chain: ETH,
    chainStore,
    indexer: {
      state: { head: 1004, finalized: 990, message: null, stalled: null, diskFull: null, lastRollbackAt: AT },
      counters: { ...NOTHING_DONE, rollbacks: 3, deepestRollback: 2 },
      ages: new HeadAges(systemClock),
    },
    source: { endpoints: () => [], outage: () => outage },
  };
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

const open = (settings: Partial<typeof SETTINGS> = {}, over = engine) =>
  listen(
    { ...SETTINGS, ...settings },
    { stores: oneStore(over), logger: pino({ level: "silent" }), indexed },
  );

/** Returns an engine that calls `limitsOf` with the limits of each answer that it streams. */
function reporting(limitsOf: (limits: QueryLimits | undefined) => void): Engine {
  return {
    query: (...given) => engine.query(...given),
    stream: (statement, format, limits) => {
      limitsOf(limits);
      return engine.stream(statement, format, limits);
    },
    execute: (...given) => engine.execute(...given),
    insert: (...given) => engine.insert(...given),
    close: () => Promise.resolve(),
  };
}

/** Returns an engine that answers queries only after a delay. */
function delaying(delayMs: number): Engine {
  return {
    ...reporting(() => undefined),
    async query(...given) {
      await systemClock.sleep(delayMs);
      return engine.query(...given);
    },
  };
}

/** Listens in a process that writes no chain. */
const listenOver = (stores: ServiceStores) => listen(SETTINGS, { stores, logger: pino({ level: "silent" }) });

const firstFrame = async (url: string, chain = "eth") => {
  const stop = new AbortController();
  const response = await fetch(`${url}/v1/stream?type=blocks&chain=${chain}`, { signal: stop.signal });
  const { value } = (await response.body?.getReader().read()) ?? {};
  stop.abort();
  return [response.status, Buffer.from(value ?? []).toString()];
};

describe("listen", () => {
  it("streams a chain that another process writes from the first request on", async () => {
    const api = await listenOver(oneStore(delaying(100)));
    expect(await firstFrame(api.url)).toEqual([200, expect.stringContaining("event: snapshot")]);
    await api.close();
  });

  it("does not wait long for a store that is silent", async () => {
    const silent = () => new Promise<never>(() => undefined);
    const log = Object.assign(chainCommits(engine, ETH.name), { committed: silent });
    const { main } = oneStore(engine);
    const api = await listenOver({ main: { ...main, commitsOf: () => log }, others: [] });
    expect((await firstFrame(api.url))[0]).toBe(503);
    await api.close();
  });

  it("serves the state of the indexer of the process", async () => {
    const api = await open();
    const rollbacks = { count: 3, deepest: 2, last_at: AT };
    expect(await (await fetch(`${api.url}/v1/status`)).json()).toMatchObject({
      chains: [{ head_block: 1004, lag_blocks: 4, endpoints: [], rollbacks, ready: true }],
    });
    outage = "no RPC endpoint can be used";
    expect((await fetch(`${api.url}/ready`)).status).toBe(503);
    const figures = await (await fetch(`${api.url}/metrics`)).text();
    expect(figures).toContain('quarry_rollbacks_total{chain="eth"} 3');
    expect(figures).toContain("process_cpu_seconds_total ");
    outage = null;
    await api.close();
  });

  it("applies the limits of the settings", async () => {
    let given: QueryLimits | undefined;
    const over = reporting((limits) => {
      given = limits;
    });
    const api = await open({ queryTime: 5, queryMemory: 64 }, over);
    const response = await fetch(`${api.url}/v1/sql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "SELECT COUNT(*) AS count FROM eth_dex_trades" }),
    });
    expect(response.status).toBe(200);
    expect(given).toMatchObject({ timeoutMs: 5_000, memoryBytes: 64 * 2 ** 20 });
    await api.close();
  });

  it.each([
    ["SELECT * FROM eth_dex_trades LIMIT 10001", { sqlRows: 10_000 }, "10000"],
    [`SELECT ${"1+".repeat(600)}1 FROM eth_blocks`, { sqlText: 1 }, "longer than 1024 bytes"],
    [`SELECT ${"(1+".repeat(20)}1${")".repeat(20)} FROM eth_blocks`, { sqlDepth: 10 }, "10 levels"],
    ["SELECT * FROM eth_dex_trades", { answerSize: 0.01 }, "The answer is larger"],
  ])("rejects what a setting forbids: %s, %o", async (query, settings, sentence) => {
    const api = await open({ queryTime: 30, ...settings });
    const response = await fetch(`${api.url}/v1/sql?format=ndjson`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(sentence)]);
    await api.close();
  });

  it("buffers answers in memory up to a setting: without a folder for temporary files, larger ones fail", async () => {
    vi.stubEnv("TMPDIR", join(folder, "none"));
    const statuses = [];
    for (const answerMemory of [1, 0.01]) {
      const api = await open({ queryTime: 30, answerMemory });
      const response = await fetch(`${api.url}/v1/sql?format=ndjson`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query: "SELECT * FROM eth_dex_trades" }),
      });
      await response.text();
      statuses.push(response.status);
      await api.close();
    }
    vi.unstubAllEnvs();
    expect(statuses).toEqual([200, 500]);
  });

  it("serves a chain that another process begins to index after the start", {
    timeout: 120_000,
  }, async () => {
    const api = await listenOver(oneStore(engine));
    const served = async () => {
      const { chains } = await apiAt(api.url).get<{ chains: { chain: string }[] }>("/v1/status");
      return chains.map(({ chain }) => chain);
    };
    expect(await served()).toEqual(["eth"]);
    const store = await openForWriting(engine, { ...ETH, name: "later" });
    await commitTrades(store, [{ token: hexOf(1), at: AT, price: 1 }], { firstBlock: 1000 });
    await expect.poll(served, { timeout: 60_000 }).toEqual(["eth", "later"]);
    expect(await firstFrame(api.url, "later")).toEqual([200, expect.stringContaining('"block":1000')]);
    const prices = `${api.url}/v1/price-api/batch-latest-token-prices?chain=later&token_address=${hexOf(1)}`;
    const { headers } = await fetch(prices);
    const etag = headers.get("etag") ?? "";
    expect((await fetch(prices, { headers: { "if-none-match": etag } })).status).toBe(304);
    await commitTrades(store, [{ token: hexOf(1), at: AT + 12, price: 2 }], { firstBlock: 1001 });
    const figures = async () => (await fetch(`${api.url}/metrics`)).text();
    await expect.poll(figures).toContain('quarry_serving_block{chain="later"} 1001');
    expect(await figures()).toContain('quarry_indexed_block{chain="later"} 1001');
    await api.close();
  });

  it("leaves a store alone after it was closed while it was adding a chain", async () => {
    let isAdding = false;
    let reads = 0;
    const log = chainCommits(engine, ETH.name);
    const slow = Object.assign(chainCommits(engine, ETH.name), {
      committed: async () => {
        reads++;
        isAdding = reads > 1;
        // This delay is shorter than the service's wait for a chain's first commit.
        if (isAdding) await systemClock.sleep(1_000);
        return log.committed();
      },
    });
    const only: string[] = [];
    const main = { ...oneStore(engine).main, commitsOf: () => slow, chains: { only } };
    const api = await listenOver({ main, others: [] });
    only.push(ETH.name);
    await expect.poll(() => isAdding, { timeout: 10_000 }).toBe(true);
    await api.close();
    await systemClock.sleep(1_500);
    expect(reads).toBe(2);
  });
});
