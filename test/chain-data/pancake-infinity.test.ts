import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
import { post } from "../../src/api/support/http.ts";
import type { Chain } from "../../src/chains/chain.ts";
import { checkChain } from "../../src/doctor/check/check-chain.ts";
import { rederive } from "../../src/doctor/check/deep-check.ts";
import type { Finding } from "../../src/doctor/finding.ts";
import { repairChain } from "../../src/doctor/repair/repair-chain.ts";
import type { Sql } from "../../src/engine-sql/sql-text.ts";
import { Indexer } from "../../src/ingest/indexer.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { readSingletonAmounts } from "../../src/reads/pools/singleton-pools.ts";
import { readSnapshot } from "../../src/reads/snapshot/snapshot.ts";
import { openRpcSource } from "../../src/sources/rpc-source.ts";
import type { Source } from "../../src/sources/source.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { chainCommits } from "../../src/storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import { copyOf } from "../../src/storage/extension/chain-copy.ts";
import type { Engine } from "../../src/storage/store.ts";
import { checksums } from "../support/engine/table-checksums.ts";
import { asInfinity, infinityChain, infinityIdOf } from "../support/markets/infinity-market.ts";
import { poolIdOf, type V4Key } from "../support/markets/uniswap-v4.ts";
import {
  ETHER_POOL,
  FREE_POOL,
  playV4Market,
  provide,
  swap,
  type V4Market,
  v4Chain,
  WRAP_POOL,
} from "../support/markets/v4-market.ts";
import { changed } from "../support/nodes/mute-source.ts";
import { temporaryFolder } from "../support/processes/processes.ts";

const { signal } = new AbortController();
const logger = { info() {}, warn() {} };
const KEYS = [ETHER_POOL, FREE_POOL, WRAP_POOL];

describe("PancakeSwap Infinity CL, with the logs of Uniswap V4's contracts in its form", () => {
  const folder = temporaryFolder();
  let market: V4Market;
  let engine: Engine;
  let manager: Hex;
  let v4: Chain;
  let infinity: Chain;

  beforeAll(async () => {
    market = await playV4Market();
    ({ manager } = market.node.exchange);
    v4 = v4Chain("v4", manager);
    infinity = infinityChain("infinity", manager);
    engine = await openEmbeddedEngine({ path: folder.path });
    for (const chain of [v4, infinity]) await index(chain, await newestBlock());
  });

  afterAll(async () => {
    await engine?.close();
    await market?.node.stop();
    folder.remove();
  });

  const newestBlock = async () => Number(await market.node.rpc<Hex>("eth_blockNumber"));

  async function openSource(chain: Chain): Promise<Source> {
    const source = await openRpcSource({ urls: [market.node.url], chain, verify: true });
    return chain.deployments[0]?.family === "uniswap-v4" ? source : changed(source, asInfinity(manager));
  }

  async function index(chain: Chain, to: number): Promise<void> {
    const [source, store] = [await openSource(chain), await openChainStore(engine, chain.name)];
    const options = { chain, source, store, engine, from: 0, to, signal, logger, pollMs: 20 };
    await new Indexer(options).run();
    await source.close();
  }

  const idIn = ({ name }: Chain, key: V4Key) => (name === "v4" ? poolIdOf(key) : infinityIdOf(key, manager));

  /** Returns the token amounts of the pools after a block. */
  async function amountsIn(chain: Chain, block: number): Promise<([bigint, bigint] | undefined)[]> {
    const reader = { engine, chains: [{ chain, store: chainCommits(engine, chain.name) }] };
    const ids = KEYS.map((key) => idIn(chain, key));
    const { answer } = await readSnapshot(reader, chain.name, {}, (snapshot) =>
      readSingletonAmounts(snapshot, ids, block),
    );
    return ids.map((id) => answer.get(id));
  }

  async function answersOf(chain: Chain, path: string, bodies: readonly object[]) {
    const app: FastifyInstance = await createServer({
      ...{ engine, chains: [{ chain, store: chainCommits(engine, chain.name) }] },
    });
    const answers: unknown[] = [];
    for (const body of bodies) {
      const response = await post(app, `/v1/market-api/${path}`, { ...body, chain: chain.name });
      expect(response.status, JSON.stringify(response.body)).toBe(200);
      answers.push(response.body);
    }
    await app.close();
    return answers;
  }

  /** Returns the TVL of the pools as in the API's response, without the pools' ids. */
  async function tvlsIn(chain: Chain, timestamp?: number) {
    const ids = KEYS.map((key) => idIn(chain, key));
    const at = timestamp === undefined ? {} : { timestamp };
    const [answer] = await answersOf(chain, "batch-latest-pool-tvl", [{ pool_address: ids, ...at }]);
    const { data } = answer as { data: Record<string, unknown>[] };
    return data.map(({ pool_address: _, ...tvl }) => tvl);
  }

  const commitOf = async (name: string) => {
    const commit = await chainCommits(engine, name).committed();
    if (commit === null) throw new Error(`nothing of ${name} is indexed`);
    return commit;
  };

  const findings = async (chain: Chain) => checkChain({ engine, chain, commit: await commitOf(chain.name) });

  async function deepFindings(chain: Chain): Promise<Finding[]> {
    const [source, commit] = [await openSource(chain), await commitOf(chain.name)];
    const span = { first: commit.firstBlock, last: commit.blockNumber };
    const found = await rederive({ engine, chain, commit, span, source, signal });
    await source.close();
    return found;
  }

  async function repair(chain: Chain, found: readonly Finding[]): Promise<void> {
    const source = await openSource(chain);
    const reopen = () => openChainStore(engine, chain.name);
    const openCopy = (name: string) => openChainStore(engine, copyOf(name));
    const place = { engine, chain, store: await reopen(), reopen, openCopy, source, signal };
    expect(await repairChain(found, place)).toMatchObject({ findings: [] });
    await source.close();
  }

  it("gives the amounts of the positions after every block, to the wei", async () => {
    const values = new Set<bigint>();
    for (let block = 0; block <= (await newestBlock()); block++) {
      const expected = await amountsIn(v4, block);
      expect([block, await amountsIn(infinity, block)]).toEqual([block, expected]);
      for (const amount of expected.flat()) if (amount !== undefined) values.add(amount);
    }
    expect(values.size).toBeGreaterThan(25);
  });

  it("gives what the manager holds for a pool without fees, apart from the wei lost by rounding", async () => {
    for (const [played, { block, balances }] of market.marks.entries()) {
      const [, free] = await amountsIn(infinity, block);
      for (const [i, currency] of [FREE_POOL.currency0, FREE_POOL.currency1].entries()) {
        const kept = (balances[currency] ?? 0n) - (free?.[i] ?? -1n);
        expect(kept >= 0n && kept <= 3n * BigInt(played + 2), `${kept} after ${played + 1} changes`).toBe(
          true,
        );
      }
    }
  });

  it("answers as for the pools of V4, now and in the past", async () => {
    const times = [undefined, ...market.marks.map(({ timestamp }) => timestamp)];
    for (const at of times) expect(await tvlsIn(infinity, at)).toEqual(await tvlsIn(v4, at));
    const [ether] = await tvlsIn(infinity);
    expect(ether).toMatchObject({ tvl_usd: expect.any(Number), token_0_price_usd: expect.any(Number) });
    const histories = (chain: Chain) =>
      answersOf(
        chain,
        "pool-tvl-history",
        KEYS.map((key) => ({ pool_address: idIn(chain, key), interval: "1m", max_size: 1000 })),
      );
    const points = async (chain: Chain) =>
      (await histories(chain)).map((answer) => (answer as { data: unknown[] }).data);
    const expected = await points(v4);
    expect(expected.flat().length).toBeGreaterThan(5);
    expect(await points(infinity)).toEqual(expected);
  });

  it("is healthy, even when every row is derived again", async () => {
    expect(await findings(infinity)).toEqual([]);
    expect(await deepFindings(infinity)).toEqual([]);
  });

  it("needs no logs: --keep trades gives the same", async () => {
    const chain: Chain = { ...infinity, name: "small", scope: { keep: "trades", rawFrom: 0 } };
    await index(chain, await newestBlock());
    expect(await tvlsIn(chain)).toEqual(await tvlsIn(infinity));
    expect(await findings(chain)).toEqual([]);
  });

  describe("in an index that an earlier version began", () => {
    const named = (name: string) => ({ ...infinity, name });

    /**
     * Indexes a chain like an earlier version up to the block before the second pool, and then like this
     * version.
     */
    async function upgraded(name: string): Promise<Chain> {
      const chain = named(name);
      await index(chain, (market.marks[0]?.block ?? 0) - 2);
      const change = (table: string, action: string) =>
        engine.execute(`ALTER TABLE ${name}_${table} ${action} SETTINGS mutations_sync = 1` as Sql);
      await change("singleton_logs", "DELETE WHERE 1");
      await change("blocks", "UPDATE logged_singletons = '', singleton_log_count = 0 WHERE 1");
      await index(chain, await newestBlock());
      return chain;
    }

    it("knows the balances of the pools that were created later, and no others", async () => {
      const chain = await upgraded("upgraded");
      const [ether, ...later] = await tvlsIn(chain);
      const [etherBefore, ...expected] = await tvlsIn(infinity);
      expect(later).toEqual(expected);
      const unknown = {
        token_0_balance: null,
        token_0_balance_usd: null,
        tvl_usd: null,
        liquidity_usd: null,
      };
      expect(ether).toEqual({ ...etherBefore, ...unknown, token_1_balance: null, token_1_balance_usd: null });
      expect(await findings(chain)).toEqual([]);
    });

    it("does not take a repaired block for the whole history of its pools", async () => {
      const chain = await upgraded("repaired");
      const [created] = await engine.query<{ block: number }>(
        "SELECT min(block_number_created) AS block FROM repaired_pool_metadata" as Sql,
      );
      await engine.execute(
        `ALTER TABLE repaired_logs DELETE WHERE block_number = ${created?.block} SETTINGS mutations_sync = 1` as Sql,
      );
      const found = await findings(chain);
      expect(found.map(({ invariant }) => invariant)).toContain("rows of logs");
      const before = await tvlsIn(chain);
      await repair(chain, found);
      const [stored] = await engine.query<{ rows: number }>(
        `SELECT count() AS rows FROM repaired_singleton_logs WHERE block_number = ${created?.block}` as Sql,
      );
      expect(stored).toEqual({ rows: 1 });
      expect(await tvlsIn(chain)).toEqual(before);
      expect(before[0]).toMatchObject({ token_0_balance: null });
      expect(await findings(chain)).toEqual([]);
    });

    it("knows all balances once the earlier blocks have been derived again", async () => {
      const chain = await upgraded("derived");
      const found = await deepFindings(chain);
      expect(found.map(({ invariant }) => invariant)).toEqual(["blocks derived again"]);
      await repair(chain, found);
      expect(await tvlsIn(chain)).toEqual(await tvlsIn(infinity));
      expect(await checksums(engine, "derived")).toEqual(await checksums(engine, "infinity"));
    });
  });

  it("reports a lost row", async () => {
    await index({ ...infinity, name: "damaged" }, await newestBlock());
    const newest = "record_index = (SELECT max(record_index) FROM damaged_singleton_logs)";
    await engine.execute(
      `ALTER TABLE damaged_singleton_logs DELETE WHERE ${newest} SETTINGS mutations_sync = 1` as Sql,
    );
    const found = await findings({ ...infinity, name: "damaged" });
    expect(found.map(({ invariant }) => invariant)).toEqual(["logs of singletons"]);
  });

  it("rolls back liquidity and prices with the blocks that a reorg removed", async () => {
    const { node } = market;
    const snapshot = await node.rpc<Hex>("evm_snapshot");
    const range = { tickLower: -197_000, tickUpper: -195_000, liquidity: 10n ** 16n };
    await provide(node, ETHER_POOL, range);
    await swap(node, ETHER_POOL, { zeroForOne: true, amount: -(10n ** 16n) });
    await index(infinity, await newestBlock());
    const before = await tvlsIn(infinity);
    await node.rpc("evm_revert", snapshot);
    for (let i = 0; i < 4; i++) await provide(node, ETHER_POOL, { ...range, liquidity: 10n ** 15n });
    await index(infinity, await newestBlock());
    expect(await tvlsIn(infinity)).not.toEqual(before);
    await index({ ...infinity, name: "fresh" }, await newestBlock());
    expect(await checksums(engine, "infinity")).toEqual(await checksums(engine, "fresh"));
  });
});
