import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../lib/async/clock.ts";
import { commitTrades, ETH, hashOf, hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import { PUBLIC_TABLE_NAMES } from "../../../schema/tables.ts";
import { ServingState } from "../../../serving/serving-state.ts";
import { openChainStore } from "../../../storage/clickhouse-store.ts";
import { createServer } from "../../http/server.ts";
import { get } from "../../support/http.ts";
import { status } from "./status.ts";

const AT = 1_700_000_000;

let market: Market;
const apps: FastifyInstance[] = [];

beforeAll(async () => {
  market = await openMarket([1, 2, 3].map((price) => ({ token: hexOf(9), at: AT + price, price })));
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await market.close();
});

async function serve(options: Partial<Parameters<typeof createServer>[0]> = {}) {
  const app = await createServer({ engine: market.engine, chains: market.chains, ...options });
  apps.push(app);
  return app;
}

const indexing =
  (ready: boolean, outage: string | null = null) =>
  () => ({
    head: 1010,
    finalized: 1001,
    ready,
    message: "backfilling",
    outage,
    stalled: null,
    endpoints: [{ url: "http://a", requests: 9, failures: 2, lies: 1, latencyMs: null, avoidedUntil: AT }],
    ages: {
      seen: { p50: 0.51234, p95: 2, count: 7, histogram: [{ above: 1.5, atMost: 2, count: 7 }] },
      committed: null,
    },
    rollbacks: { count: 3, deepest: 2, lastAt: AT },
    extension: {
      ...{ from: 500, block: 700, target: 1002, blocksPerSecond: 1.26, etaSeconds: 239.7 },
      message: null,
    },
  });

const CUT_OFF = "http://a: connection refused, since 2023-11-14T22:13:20Z";

async function statuses(app: FastifyInstance, ...paths: string[]): Promise<number[]> {
  const answers = await Promise.all(paths.map((path) => get(app, path)));
  return answers.map((answer) => answer.status);
}

/** Removes the ages of blocks, which only a process that follows the commits knows. */
function withoutAges({ chains }: { chains: Record<string, unknown>[] }) {
  return chains.map(({ block_age: _, ...chain }) => chain);
}

/** Returns the chain as it was before its first commit. */
function nothing() {
  const { commit, rollback } = market.store;
  const store = { chain: "eth", committed: async () => null, commit, rollback };
  return { chains: market.chains.map(({ chain }) => ({ chain, store })) };
}

/** Returns the chain with a commit that says which block is final. */
function finalUpTo(finalized: number) {
  const { commit, rollback } = market.store;
  const committed = async () => {
    const newest = await market.store.committed();
    return newest && { ...newest, finalized };
  };
  const store = { chain: "eth", committed, commit, rollback };
  return { chains: market.chains.map(({ chain }) => ({ chain, store })) };
}

describe("GET /v1/status", () => {
  it("reports what is indexed, and the lag", async () => {
    const { body } = await get(await serve({ indexing: indexing(true) }), "/v1/status");
    expect(() => status.answer.parse(body)).not.toThrow();
    const [chain] = body.chains;
    expect(Object.keys(chain.rows)).toEqual(PUBLIC_TABLE_NAMES);
    expect(chain).toMatchObject({
      chain: "eth",
      chain_id: 1,
      native_coin: { symbol: "ETH", decimals: 18 },
      ready: true,
      message: "backfilling",
      head_block: 1010,
      finalized_block: 1001,
      finality: { kind: "tag" },
      first_block: 1000,
      indexed_block: 1002,
      indexed_timestamp: AT + 3,
      indexed_block_hash: hashOf(1002),
      commit: 1,
      lag_blocks: 8,
      block_age: {
        seen: { p50: 0.512, p95: 2, blocks: 7, histogram: [{ above: 1.5, at_most: 2, blocks: 7 }] },
        committed: null,
        sent: null,
      },
      rollbacks: { count: 3, deepest: 2, last_at: AT },
      extension: {
        ...{ from_block: 500, block: 700, target_block: 1002 },
        ...{ blocks_per_second: 1.3, eta_seconds: 240, message: null },
      },
      endpoints: [
        { url: "http://a", requests: 9, failures: 2, lies: 1, latency_ms: null, avoided_until: AT },
      ],
    });
    expect(chain.lag_seconds).toBeGreaterThan(0);
    expect(chain.rows).toMatchObject({ blocks: 3, dex_trades: 3, erc20: 0 });
  });

  it("reports in its message that no endpoint is usable, in the words of /ready", async () => {
    const app = await serve({ indexing: indexing(true, CUT_OFF) });
    const [chain] = (await get(app, "/v1/status")).body.chains;
    expect([chain.ready, chain.message]).toEqual([false, (await get(app, "/ready")).body.error]);
    expect(chain).toMatchObject({ head_block: 1010, indexed_block: 1002 });
  });

  it("reports that no block is indexed, in the words of /ready", async () => {
    const stalled = () => ({ ...indexing(true)(), stalled: "The disk is full." });
    const app = await serve({ indexing: stalled });
    const [chain] = (await get(app, "/v1/status")).body.chains;
    const { status: code, body } = await get(app, "/ready");
    expect([code, chain.ready, chain.message]).toEqual([503, false, body.error]);
    expect(body.error).toBe(
      "Chain eth is not advancing (The disk is full): data up to block 1002 is still served.",
    );
  });

  it("reports the newest final block of the commit without an indexer", async () => {
    const { body } = await get(await serve(finalUpTo(1001)), "/v1/status");
    expect(body.chains[0]).toMatchObject({ head_block: null, finalized_block: 1001 });
  });

  it("works before anything is indexed, and without an indexer", async () => {
    const { body } = await get(await serve(nothing()), "/v1/status");
    expect(() => status.answer.parse(body)).not.toThrow();
    expect(body.chains[0]).toMatchObject({
      ready: false,
      indexed_block: null,
      head_block: null,
      finalized_block: null,
      lag_blocks: null,
      rows: {},
      endpoints: null,
      rollbacks: null,
      extension: null,
    });
  });
});

describe("GET /v1/status from memory", () => {
  it("counts the rows of each chain as the engine does, after commits and rollbacks", async () => {
    const clock = { ...systemClock, now: () => (AT + 100) * 1000 };
    const [first, second] = await Promise.all(["one", "two"].map(openServed));
    if (first === undefined || second === undefined) throw new Error("no chain");
    const chains = [first, second].map(({ chain, store }) => ({ chain, store }));
    const [served, byEngine] = [
      await serve({ chains: [first, second], clock }),
      await serve({ chains, clock }),
    ];
    const compare = async (answered: Partial<ServingState["counters"]>) => {
      const before = { ...second.serving.counters };
      const { body } = await get(served, "/v1/status");
      expect(withoutAges(body)).toEqual(withoutAges((await get(byEngine, "/v1/status")).body));
      for (const [by, count] of Object.entries(answered))
        expect([by, second.serving.counters[by as "memory"] - before[by as "memory"]]).toEqual([by, count]);
      return body.chains[1].rows;
    };
    await compare({ memory: 0 });
    await commitTrades(first.store, [{ token: hexOf(9), at: AT, price: 1 }], { firstBlock: 1 });
    for (const firstBlock of [1, 2, 3])
      await commitTrades(second.store, [{ token: hexOf(9), at: AT + firstBlock, price: 1 }], {
        firstBlock,
        named: [hexOf(firstBlock)],
      });
    expect(await compare({ filled: 1 })).toMatchObject({ blocks: 3, token_metadata: 3, dex_trades: 3 });
    await commitTrades(second.store, [{ token: hexOf(9), at: AT + 9, price: 1 }], { firstBlock: 4 });
    expect(await compare({ memory: 1 })).toMatchObject({ blocks: 4, token_metadata: 3, dex_trades: 4 });
    await second.store.rollback({ number: 2, hash: hashOf(2), timestamp: AT + 2 });
    expect(await compare({ filled: 1 })).toMatchObject({ blocks: 2, token_metadata: 2, dex_trades: 2 });
    await compare({ memory: 1 });
  });
});

/** Opens a chain without blocks, and its serving state. */
async function openServed(name: string) {
  const store = await openChainStore(market.engine, name);
  const serving = new ServingState(2 ** 24);
  store.follow(serving);
  return { chain: { ...ETH, name }, store, serving };
}

describe("GET /ready", () => {
  it.each([
    ["answers can be given", {}, 200, { ready: true }],
    ["the indexer is on", { indexing: indexing(true) }, 200, { ready: true }],
    [
      "the indexer prepares",
      { indexing: indexing(false) },
      503,
      { error: "Chain eth is not ready: backfilling." },
    ],
    [
      "no endpoint can be used",
      { indexing: indexing(true, CUT_OFF) },
      503,
      {
        error: `No RPC endpoint of chain eth is usable (${CUT_OFF}): data up to block 1002 is still served.`,
      },
    ],
    [
      "no chain is configured",
      { chains: [] },
      503,
      { error: expect.stringContaining("No chain is configured") },
    ],
  ])("%s", async (_, options, expected, body) => {
    const answer = await get(await serve(options), "/ready");
    expect([answer.status, answer.body]).toEqual([expected, body]);
  });

  it("concerns only the indexer: queries work during an outage", async () => {
    let outage: string | null = CUT_OFF;
    const app = await serve({ indexing: () => indexing(true, outage)() });
    const path = `/v1/price/historical/ohlc?token_address=${hexOf(9)}`;
    expect(await statuses(app, "/ready", path, "/health", "/v1/status")).toEqual([503, 200, 200, 200]);
    outage = null;
    expect(await statuses(app, "/ready", path)).toEqual([200, 200]);
  });

  it("reports an outage before anything is indexed", async () => {
    const { body } = await get(await serve({ ...nothing(), indexing: indexing(true, CUT_OFF) }), "/ready");
    expect(body.error).toMatch(/^No RPC endpoint .*: no block is indexed yet\.$/);
  });

  it("is 503 before the first commit, like queries, while the process is alive", async () => {
    const app = await serve(nothing());
    for (const path of ["/ready", `/v1/price/historical/ohlc?token_address=${hexOf(9)}`]) {
      const { status: code, body, headers } = await get(app, path);
      expect([code, headers["retry-after"]]).toEqual([503, "1"]);
      expect(body.error).toContain("No block of chain eth is indexed yet");
    }
    expect(await get(app, "/health")).toMatchObject({ status: 200, body: { alive: true } });
  });
});
