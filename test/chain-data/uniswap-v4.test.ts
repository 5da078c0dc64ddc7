import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { USDC, WETH } from "../../devnet/market/tokens.ts";
import { encodeCall, word } from "../../devnet/node/call-data.ts";
import { createServer } from "../../src/api/http/server.ts";
import { get, post } from "../../src/api/support/http.ts";
import type { Chain } from "../../src/chains/chain.ts";
import { checkChain } from "../../src/doctor/check/check-chain.ts";
import { rederive } from "../../src/doctor/check/deep-check.ts";
import { repairChain } from "../../src/doctor/repair/repair-chain.ts";
import type { Sql } from "../../src/engine-sql/sql-text.ts";
import { Indexer } from "../../src/ingest/indexer.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { readSingletonAmounts } from "../../src/reads/pools/singleton-pools.ts";
import { readSnapshot } from "../../src/reads/snapshot/snapshot.ts";
import { sqrtPriceAtTick } from "../../src/serving/pools/liquidity-amounts.ts";
import { openRpcSource } from "../../src/sources/rpc-source.ts";
import { endpoint, forward } from "../../src/sources/support/rpc-endpoints.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { chainCommits } from "../../src/storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import { copyOf } from "../../src/storage/extension/chain-copy.ts";
import type { Engine } from "../../src/storage/store.ts";
import { checksums } from "../support/engine/table-checksums.ts";
import { NATIVE_COIN, poolIdOf, type V4Key, type V4Node } from "../support/markets/uniswap-v4.ts";
import {
  type Balances,
  create,
  DEAR_POOL,
  ETHER_POOL,
  FREE_POOL,
  type Mark,
  playV4Market,
  provide,
  swap,
  type V4Market,
  v4Chain,
  WRAP_POOL,
} from "../support/markets/v4-market.ts";
import { mute } from "../support/nodes/mute-source.ts";
import { temporaryFolder } from "../support/processes/processes.ts";

interface IndexPlan {
  from: number;
  urls?: string[];
  signal?: AbortSignal;
  /** True to remove the calldata of transactions, which contains the keys of pools. */
  isMute?: boolean;
}

const { signal } = new AbortController();

describe("Uniswap V4 on its real contracts", () => {
  const folder = temporaryFolder();
  let node: V4Node;
  let engine: Engine;
  let chain: Chain;
  let app: FastifyInstance;
  let market: V4Market;
  let ticks: Hex;
  /** Number of swaps without trades in the last index run, by chain name. */
  const leftOut = new Map<string, number>();

  beforeAll(async () => {
    market = await playV4Market();
    node = market.node;
    chain = v4Chain("v4", node.exchange.manager);
    engine = await openEmbeddedEngine({ path: folder.path });
    ticks = await node.deploy("TickMathTest");
    await index(chain, 0);
    app = await createServer({ engine, chains: [{ chain, store: chainCommits(engine, chain.name) }] });
  });

  afterAll(async () => {
    await app?.close();
    await engine?.close();
    await node?.stop();
    folder.remove();
  });

  const newestBlock = async () => Number(await node.rpc<Hex>("eth_blockNumber"));

  /** Indexes up to a block, or until the signal is aborted. */
  async function indexUpTo(
    to: number | null,
    facts: Chain,
    { from, urls = [node.url], signal = new AbortController().signal, isMute = false }: IndexPlan,
  ): Promise<string[]> {
    const said: string[] = [];
    const logger = { info() {}, warn: (_: object, message: string) => void said.push(message) };
    const opened = await openRpcSource({ urls, chain: facts, verify: true, logger });
    const source = isMute ? mute(opened) : opened;
    const store = await openChainStore(engine, facts.name);
    const first = (await store.committed())?.firstBlock ?? from;
    const options = { chain: facts, source, store, engine, from: first, to, signal, logger, pollMs: 20 };
    const indexer = new Indexer(options);
    await indexer.run();
    await source.close();
    leftOut.set(facts.name, indexer.counters.swapsLeftOut);
    return said;
  }

  const index = async (facts: Chain, from: number, ...urls: string[]) =>
    indexUpTo(await newestBlock(), facts, urls.length > 0 ? { from, urls } : { from });

  const sql = async (query: string): Promise<Record<string, unknown>[]> =>
    (await post(app, "/v1/sql", { query })).body;

  async function tvl(key: V4Key, timestamp?: number) {
    const body = {
      pool_address: [poolIdOf(key)],
      chain: "v4",
      ...(timestamp === undefined ? {} : { timestamp }),
    };
    const { status, body: answer } = await post(app, "/v1/market-api/batch-latest-pool-tvl", body);
    expect(status, JSON.stringify(answer)).toBe(200);
    return answer.data[0];
  }

  it("identifies its pools by their ids, with the wrapped native coin in place of the native one", async () => {
    const rows = await sql("SELECT * FROM v4_pool_metadata ORDER BY record_index");
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({
      ...{ pool_address: poolIdOf(ETHER_POOL), protocol: "uniswap_v4", fee: 500 },
      ...{ token_0_address: WETH.address, token_1_address: USDC.address },
      factory_address: node.exchange.manager,
    });
    expect(rows[1]).toMatchObject({ pool_address: poolIdOf(FREE_POOL), fee: 0 });
  });

  function tradeOf(key: V4Key, currency: Hex, gained: Balances) {
    const amount = gained[currency] ?? 0n;
    const size = amount < 0n ? -amount : amount;
    return {
      pool_address: poolIdOf(key),
      token_address: currency === NATIVE_COIN ? WETH.address : currency,
      amount_token: Number(`${size}e-${currency === USDC.address ? 6 : 18}`),
      side: amount < 0n ? "buy" : "sell",
    };
  }

  it("gives each swap the amounts that the PoolManager received and paid", async () => {
    const counted = market.swaps.filter(({ key }) => key !== WRAP_POOL);
    for (const { block, key, gained } of counted) {
      const rows = await sql(
        `SELECT pool_address, token_address, amount_token, side FROM v4_dex_trades WHERE block_number = ${block}`,
      );
      const expected = [key.currency0, key.currency1].map((currency) => tradeOf(key, currency, gained));
      expect(rows).toHaveLength(2);
      expect(rows).toEqual(expect.arrayContaining(expected));
    }
    const [{ n } = {}] = await sql("SELECT COUNT(*) AS n FROM v4_dex_trades");
    expect(n).toBe(2 * counted.length);
  });

  it("prices the native coin and gives candles of the pool", async () => {
    const [first] = market.swaps;
    const dollars = Number(first?.gained[USDC.address]) / -1e6;
    const pool_address = poolIdOf(ETHER_POOL);
    const rows = await sql(
      `SELECT price_token_usd_tick_1 AS price FROM v4_dex_trades WHERE pool_address = '${pool_address}' AND token_address = '${WETH.address}' ORDER BY record_index`,
    );
    expect(rows).toHaveLength(3);
    expect(rows[0]?.price).toBe(dollars);
    const last = rows[2]?.price;
    const { body } = await get(app, "/v1/price/historical/ohlc", {
      ...{ token_address: WETH.address, pool_address, chain: "v4", candle_duration: "1h", max_size: 1 },
    });
    expect(body.data).toMatchObject([{ price_close: last }]);
  });

  /**
   * Returns how much the PoolManager holds of a pool's two currencies at a block, minus the amounts in the
   * pool's liquidity.
   */
  async function kept(key: V4Key, { block, balances }: Mark): Promise<[bigint, bigint]> {
    const reader = { engine, chains: [{ chain, store: chainCommits(engine, chain.name) }] };
    const { answer } = await readSnapshot(reader, chain.name, {}, (snapshot) =>
      readSingletonAmounts(snapshot, [poolIdOf(key)], block),
    );
    const [amount0, amount1] = answer.get(poolIdOf(key)) ?? [-1n, -1n];
    return [(balances[key.currency0] ?? 0n) - amount0, (balances[key.currency1] ?? 0n) - amount1];
  }

  it("returns the balances of a pool without fees at every block, exact up to the wei lost by rounding", async () => {
    expect(market.marks).toHaveLength(8);
    for (const [played, mark] of market.marks.entries()) {
      for (const wei of await kept(FREE_POOL, mark)) {
        expect(wei, `after ${played + 1} changes`).toBeGreaterThanOrEqual(0n);
        expect(wei, `after ${played + 1} changes`).toBeLessThanOrEqual(3n * BigInt(played + 2));
      }
      const held = await tvl(FREE_POOL, mark.timestamp);
      const isNear = (balance: number, currency: Hex) => {
        const actual = Number(mark.balances[currency]) / 1e18;
        return Math.abs(balance - actual) <= 1e-14 * actual + 1e-16;
      };
      expect(isNear(held.token_0_balance, FREE_POOL.currency0)).toBe(true);
      expect(isNear(held.token_1_balance, FREE_POOL.currency1)).toBe(true);
    }
    const before = (market.marks[0]?.timestamp ?? 0) - 24;
    expect(await tvl(FREE_POOL, before)).toMatchObject({ token_0_balance: null, tvl_usd: null });
  });

  it("leaves out fees: until they are collected, the PoolManager holds more", async () => {
    const [owed, collected] = market.collection;
    const [ether, dollars] = await kept(ETHER_POOL, owed);
    const paidIn = market.swaps.slice(0, 3).map(({ gained }) => gained);
    const fee = (currency: Hex) =>
      paidIn.reduce((sum, gained) => sum + Math.max(0, Number(gained[currency])) * 0.0005, 0);
    expect(Number(ether) / fee(NATIVE_COIN)).toBeCloseTo(1, 9);
    expect(Number(dollars) / fee(USDC.address)).toBeCloseTo(1, 5);
    for (const wei of await kept(ETHER_POOL, collected)) {
      expect(wei).toBeGreaterThanOrEqual(0n);
      expect(wei).toBeLessThan(12n);
    }
  });

  it("values a pool at its prices, the native coin at the price of the wrapped one", async () => {
    const held = await tvl(ETHER_POOL);
    expect(held).toMatchObject({ token_0_address: WETH.address, token_1_price_usd: expect.any(Number) });
    expect(held.token_0_balance_usd).toBe(held.token_0_balance * held.token_0_price_usd);
    expect(held.liquidity_usd).toBe(held.token_1_balance_usd);
    expect(held.tvl_usd).toBe(held.token_0_balance_usd + held.token_1_balance_usd);
  });

  it("returns the same over time as at each time", async () => {
    const values = new Set<unknown>();
    for (const key of [ETHER_POOL, FREE_POOL, WRAP_POOL]) {
      const query = { pool_address: poolIdOf(key), chain: "v4", interval: "1m", max_size: 1000 };
      const { status, body } = await post(app, "/v1/market-api/pool-tvl-history", query);
      expect(status, JSON.stringify(body)).toBe(200);
      const { data, ...head } = body;
      expect(data.length).toBeGreaterThan(0);
      for (const { as_of_timestamp: at, ...point } of data) {
        expect([at, { ...head, ...point }]).toEqual([at, await tvl(key, at)]);
        values.add(point.token_1_balance);
      }
    }
    expect(values.size).toBeGreaterThan(4);
  });

  it("has the contract's price of every tick", async () => {
    const asked = Array.from(
      { length: 60 },
      (_, i) => (i % 2 === 0 ? 1 : -1) * Math.round((887_272 * i) / 59),
    );
    for (const tick of [...asked, 1, -1, 2 ** 19, -(2 ** 19)]) {
      const expected = await node.read(ticks, encodeCall("getSqrtPriceAtTick(int24)", BigInt(tick)));
      expect(`0x${word(sqrtPriceAtTick(tick))}`).toBe(expected);
    }
  });

  it("has no trade of the native coin against itself", async () => {
    const pool = poolIdOf(WRAP_POOL);
    expect(await sql(`SELECT * FROM v4_dex_trades WHERE pool_address = '${pool}'`)).toEqual([]);
    expect(await sql(`SELECT * FROM v4_pool_metadata WHERE pool_address = '${pool}'`)).toHaveLength(1);
  });

  const commitOf = async (name: string) => {
    const commit = await chainCommits(engine, name).committed();
    if (commit === null) throw new Error(`nothing of ${name} is indexed`);
    return commit;
  };

  async function findings(facts: Chain): Promise<string[]> {
    const examination = { engine, chain: facts, commit: await commitOf(facts.name) };
    return (await checkChain(examination)).map(({ invariant }) => invariant);
  }

  it("is healthy, even when every row is derived again", async () => {
    expect(await findings(chain)).toEqual([]);
    const source = await openRpcSource({ urls: [node.url], chain, verify: true });
    const commit = await commitOf(chain.name);
    const span = { first: commit.firstBlock, last: commit.blockNumber };
    expect(await rederive({ engine, chain, commit, span, source, signal })).toEqual([]);
    await source.close();
  });

  describe("indexed from the middle of the chain", () => {
    const from = () => market.marks[3]?.block ?? 0;
    const trades = (name: string) =>
      engine.query<object>(
        `SELECT record_index, hex(pool_address) AS pool, amount_token FROM ${name}_dex_trades WHERE block_number >= ${from()} ORDER BY record_index` as Sql,
      );

    it("finds older pools by their creation event, with unknown balances", async () => {
      const late = { ...chain, name: "late" };
      expect(await indexUpTo(await newestBlock(), late, { from: from(), isMute: true })).toEqual([]);
      expect(await trades("late")).toEqual(await trades("v4"));
      expect(leftOut.get("late")).toBe(0);
      const [pool] = await engine.query<object>(
        "SELECT block_number_created AS created, lower(hex(pool_address)) AS id FROM late_pool_metadata ORDER BY record_index" as Sql,
      );
      expect(pool).toEqual({ created: null, id: poolIdOf(FREE_POOL).slice(2) });
      const chains = [{ chain: late, store: chainCommits(engine, "late") }];
      const server = await createServer({ engine, chains });
      const { body } = await post(server, "/v1/market-api/batch-latest-pool-tvl", {
        ...{ pool_address: [poolIdOf(FREE_POOL)], chain: "late" },
      });
      await server.close();
      expect(body.data[0]).toMatchObject({ token_0_address: FREE_POOL.currency0, token_0_balance: null });
      expect(await findings(late)).toEqual([]);
      const newest = (table: string) => `record_index = (SELECT max(record_index) FROM late_${table})`;
      const damaged = async (statement: string) => {
        await engine.execute(`ALTER TABLE ${statement} SETTINGS mutations_sync = 1` as Sql);
        return findings(late);
      };
      expect(await damaged(`late_singleton_logs DELETE WHERE ${newest("singleton_logs")}`)).toEqual([
        "logs of singletons",
      ]);
      const turned = "side = if(side = 'buy', 'sell', 'buy')";
      expect(await damaged(`late_dex_trades UPDATE ${turned} WHERE ${newest("dex_trades")}`)).toContain(
        "trades as logged",
      );
      expect(await damaged(`late_dex_trades DELETE WHERE ${newest("dex_trades")}`)).toContain("swaps traded");
    });

    it("proves older pools by the calldata of their swaps, without past logs, even after a restart", async () => {
      const { url } = await endpoint(forward(node.url, ["eth_getLogs"]));
      const proven = { ...chain, name: "proven" };
      for (const to of [market.marks[4]?.block ?? 0, await newestBlock()])
        expect(await indexUpTo(to, proven, { from: from(), urls: [url] })).toEqual([]);
      expect(await trades("proven")).toEqual(await trades("v4"));
      expect(leftOut.get("proven")).toBe(0);
      expect(await findings(proven)).toEqual([]);
      await index({ ...chain, name: "whole" }, from(), url);
      expect(await checksums(engine, "proven")).toEqual(await checksums(engine, "whole"));
    });

    it("leaves other older pools out if the node has no past logs, and warns once", async () => {
      const { url } = await endpoint(forward(node.url, ["eth_getLogs"]));
      const deaf = { ...chain, name: "deaf" };
      const said = await indexUpTo(await newestBlock(), deaf, { from: from(), urls: [url], isMute: true });
      expect(said).toEqual([expect.stringContaining("swaps in some older Uniswap V4 pools are left out")]);
      expect(await trades("deaf")).toEqual([]);
      const played = market.swaps.filter(({ key, block }) => key !== WRAP_POOL && block >= from());
      expect(leftOut.get("deaf")).toBe(played.length);
    });

    it("repairs left-out pools and damage from later blocks if no endpoint has the past logs any more", async () => {
      const kept = { ...chain, name: "kept" };
      const { url } = await endpoint(forward(node.url, ["eth_getLogs"]));
      await indexUpTo(market.marks[4]?.block ?? 0, kept, { from: from(), urls: [url], isMute: true });
      await index(kept, from());
      const gap = market.marks.slice(3, 5).map(({ block }) => block);
      const found = await checkChain({ engine, chain: kept, commit: await commitOf(kept.name) });
      expect(found).toMatchObject([{ invariant: "swaps traded", spans: [{ first: gap[0], last: gap[1] }] }]);
      const source = mute(await openRpcSource({ urls: [url], chain: kept, verify: true }));
      const reopen = () => openChainStore(engine, kept.name);
      const openCopy = (name: string) => openChainStore(engine, copyOf(name));
      const place = { engine, chain: kept, store: await reopen(), reopen, openCopy, source, signal };
      expect(await repairChain(found, place)).toMatchObject({ findings: [], rolledBack: null });
      await source.close();
      expect(await trades(kept.name)).toEqual(await trades("v4"));
      expect(await findings(kept)).toEqual([]);
    });

    it("finds an older pool again after a reorg removed the block in which it was found", async () => {
      const moved = { ...chain, name: "moved" };
      const stop = new AbortController();
      const snapshot = await node.rpc<Hex>("evm_snapshot");
      const head = await newestBlock();
      const shows = (block: number) =>
        expect
          .poll(async () => (await chainCommits(engine, moved.name).committed())?.blockNumber, {
            timeout: 50_000,
          })
          .toBe(block);
      await swap(node, ETHER_POOL, { zeroForOne: true, amount: -(10n ** 15n) });
      const following = indexUpTo(null, moved, { from: head, signal: stop.signal });
      await shows(head + 1);
      const before = await trades(moved.name);
      await node.rpc("evm_revert", snapshot);
      for (const amount of [-(10n ** 16n), -(10n ** 15n)]) {
        await swap(node, ETHER_POOL, { zeroForOne: true, amount });
      }
      await shows(head + 2);
      stop.abort();
      expect(await following).toContain("chain reorganized: rolling back");
      expect(before).toHaveLength(2);
      expect(await trades(moved.name)).toHaveLength(4);
    });
  });

  it("rolls back pools, trades and liquidity with the blocks that a reorg removed", async () => {
    const snapshot = await node.rpc<Hex>("evm_snapshot");
    await create(node, DEAR_POOL, 2900e-12);
    const range = { tickLower: -197_000, tickUpper: -195_000, liquidity: 10n ** 16n };
    const { block } = await provide(node, DEAR_POOL, range);
    await swap(node, DEAR_POOL, { zeroForOne: true, amount: -(10n ** 16n) });
    await index(chain, 0);
    expect(await tvl(DEAR_POOL)).toMatchObject({ block_number: block + 1, tvl_usd: expect.any(Number) });
    await node.rpc("evm_revert", snapshot);
    for (let i = 0; i < 5; i++) await provide(node, ETHER_POOL, { ...range, liquidity: 10n ** 15n });
    await index(chain, 0);
    expect(await tvl(DEAR_POOL)).toMatchObject({ block_number: null, token_0_address: null });
    await index({ ...chain, name: "fresh" }, 0);
    expect(await checksums(engine, "v4")).toEqual(await checksums(engine, "fresh"));
  });
});
