import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devnetChain } from "../../devnet/chain.ts";
import { MAIN_POOL } from "../../devnet/market/pools.ts";
import { tokenOf, WETH } from "../../devnet/market/tokens.ts";
import { integer, sql } from "../../src/engine-sql/sql-text.ts";
import { Indexer } from "../../src/ingest/indexer.ts";
import { openRpcSource, type RpcSource } from "../../src/sources/rpc-source.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { ChainStore, Commit, Engine } from "../../src/storage/store.ts";
import { newestCheckpoint } from "../../src/storage/summaries/price-summary.ts";
import { engineTable } from "../../src/storage/tables/ddl.ts";
import { dropChain } from "../support/engine/drop-chain.ts";
import { checksums } from "../support/engine/table-checksums.ts";
import { type MarketNode, startMarketNode } from "../support/markets/market-node.ts";
import { temporaryFolder } from "../support/processes/processes.ts";
import { candlesOf, type RestAnswers, restAnswers } from "../support/processes/rest-answers.ts";

const HISTORY_BLOCKS = 20;
/**
 * Number of blocks between two checkpoints. It is small, so the price summary of the followed chain grows
 * after every few final blocks. The summary of a fresh index has hardly any trades.
 */
const CHECKPOINT_BLOCKS = 4;
const quiet = { info() {}, warn() {} };
const chainNamed = (name: string) => ({ ...devnetChain(), name });
const FOLLOWED = chainNamed("followed");
const FRESH = chainNamed("fresh");
const PROTOCOLS = ["uniswap_v2", "uniswap_v3"];
/** Depth of the deepest reorg. The answers are also compared after it. */
const DEEPEST = 15;
/** Number of decimal places to compare in a volume in USD. */
const VOLUME_DIGITS = 5;
const POOL = { address: MAIN_POOL.address, token: WETH.address };
const WATCHED = ["WETH", "BASALT", "CHERT"].map((symbol) => tokenOf(symbol).address);

describe("an indexer that follows a market through reorgs", () => {
  const folder = temporaryFolder();
  const stop = new AbortController();
  let node: MarketNode;
  let engine: Engine;
  let source: RpcSource;
  let store: ChainStore;
  let running: Promise<void>;
  let indexer: Indexer;
  /** Seed of the newest blocks. Each fork has different trades. */
  let forks = 1;

  beforeAll(async () => {
    node = await startMarketNode(HISTORY_BLOCKS);
    engine = await openEmbeddedEngine({ path: folder.path });
    source = await openRpcSource({ urls: [node.url], chain: FOLLOWED, verify: true });
    store = await openChainStore(engine, FOLLOWED.name, { checkpointBlocks: CHECKPOINT_BLOCKS });
    indexer = new Indexer({
      ...{ chain: FOLLOWED, source, store, engine, from: 0, to: null },
      ...{ pollMs: 50, signal: stop.signal, logger: quiet },
    });
    running = indexer.run();
    running.catch(() => {});
    await node.trade(16, forks);
    await caughtUp();
  });

  afterAll(async () => {
    stop.abort();
    await running;
    await source?.close();
    await node?.stop();
    await engine?.close();
    folder.remove();
  });

  /** Waits until the newest stored block is the node's head. */
  async function caughtUp(): Promise<void> {
    const head = await node.head();
    const isThere = async () => (await store.committed())?.blockHash === head.hash;
    for (let tries = 0; tries < 600; tries++) {
      if (await isThere()) return;
      await Promise.race([sleep(50), running]);
    }
    throw new Error(`never reached ${JSON.stringify(head)}: ${JSON.stringify(indexer.state)}`);
  }

  async function answersOf(chain: typeof FOLLOWED, until: number, more: string[]): Promise<RestAnswers> {
    return restAnswers(engine, chain, { tokens: [...WATCHED, ...more], pool: POOL, until });
  }

  /**
   * Indexes the node's current chain from scratch and expects equal tables. Runs `compare` before the fresh
   * index is dropped.
   */
  async function withFreshIndex<T>(compare: (newest: Commit) => Promise<T>): Promise<T> {
    await caughtUp();
    const { number, hash } = await node.head();
    const fresh = await openChainStore(engine, FRESH.name);
    const to = { from: 0, to: number, signal: stop.signal, logger: quiet };
    await new Indexer({ chain: FRESH, source, store: fresh, engine, ...to }).run();
    const commit = await fresh.committed();
    if (commit?.blockHash !== hash) throw new Error(`the fresh index ends at ${JSON.stringify(commit)}`);
    expect(await checksums(engine, FOLLOWED.name)).toEqual(await checksums(engine, FRESH.name));
    const compared = await compare(commit);
    await dropChain(engine, FRESH.name);
    return compared;
  }

  /**
   * Expects every table to equal, bit for bit, the same table of a fresh index of the node's current chain.
   */
  async function agrees(): Promise<void> {
    await withFreshIndex(async () => {});
  }

  /** Like `agrees()`, but also expects equal responses about prices, candles, wallets and pools. */
  async function answersAgree(more: string[] = []): Promise<RestAnswers> {
    return withFreshIndex(async ({ timestamp }) => {
      const { complete } = await newestCheckpoint(engine, FOLLOWED.name);
      expect(complete, "the price summary has no trades").toBeGreaterThan(0);
      const expected = await answersOf(FRESH, timestamp, more);
      const answers = await answersOf(FOLLOWED, timestamp, more);
      for (const [question, answer] of Object.entries(expected)) {
        expect(answers[question], question).toEqual(withRoundedSums(answer));
      }
      return answers;
    });
  }

  async function swapsAbove(block: number): Promise<Map<string, string[]>> {
    const rows = await engine.query<{ protocol: string; hash: string }>(
      sql`SELECT protocol_name AS protocol, hex(transaction_hash) AS hash
        FROM ${engineTable(FOLLOWED.name, "dex_trades")} WHERE block_number > ${integer(block)}`,
    );
    const hashes = (protocol: string) =>
      rows.filter((row) => row.protocol === protocol).map(({ hash }) => hash);
    return new Map(PROTOCOLS.map((protocol) => [protocol, hashes(protocol)]));
  }

  /**
   * Runs `replace`, which must roll back at least `depth` blocks and replace the trades of both protocols in
   * them. Then compares the result with a fresh index.
   */
  async function disagreement(
    depth: number,
    replace: () => Promise<unknown>,
    compare: () => Promise<unknown> = agrees,
  ): Promise<void> {
    await caughtUp();
    const forkPoint = (await node.head()).number - depth;
    const before = { swaps: await swapsAbove(forkPoint), ...indexer.counters };
    await replace();
    await compare();
    const after = { swaps: await swapsAbove(forkPoint), ...indexer.counters };
    expect(after.rolledBackBlocks - before.rolledBackBlocks).toBeGreaterThanOrEqual(depth);
    for (const protocol of PROTOCOLS) {
      const [old, now] = [before.swaps.get(protocol) ?? [], after.swaps.get(protocol) ?? []];
      expect(old.length, `${protocol} before`).toBeGreaterThan(0);
      expect(now.length, `${protocol} after`).toBeGreaterThan(0);
      expect(now.filter((hash) => old.includes(hash))).toEqual([]);
    }
  }

  /** Rolls back the newest blocks and mines others. */
  async function fork(depth: number, blocks: number): Promise<void> {
    await node.rpc("anvil_rollback", depth);
    await node.trade(blocks, ++forks);
  }

  it.each([1, 5, DEEPEST])("has the data of a fresh index after anvil_reorg of %i blocks", async (depth) => {
    const orders = node.orders(depth + 3, ++forks).map((order, i) => [order, i % depth]);
    const reorganize = async () => {
      await node.rpc("anvil_reorg", depth, orders);
      await node.trade(1, ++forks);
    };
    await disagreement(depth, reorganize, depth === DEEPEST ? answersAgree : agrees);
  });

  it.each([
    [1, 1],
    [5, 9],
    [DEEPEST, 8],
  ])("has the data of a fresh index after a rollback of %i blocks and %i others", async (depth, blocks) => {
    await disagreement(depth, () => fork(depth, blocks), depth === DEEPEST ? answersAgree : agrees);
    await node.trade(depth, ++forks);
  });

  it("has the data of a fresh index after a fork of a fork, seen or missed", async () => {
    await disagreement(10, () => fork(10, 6));
    await disagreement(4, () => fork(4, 7));
    await disagreement(9, () => fork(9, 12));
    const missed = async () => {
      await fork(6, 3);
      await fork(2, 5);
      await fork(5, 8);
    };
    await disagreement(6, missed, answersAgree);
  });

  it("has the data of a fresh index after the node reverts to a snapshot", async () => {
    const snapshot = await node.rpc("evm_snapshot");
    await node.trade(6, ++forks);
    await disagreement(6, async () => {
      expect(await node.rpc("evm_revert", snapshot)).toBe(true);
      await node.trade(4, ++forks);
    });
  });

  it("has the pool and the token of the canonical fork, and none of the abandoned one", async () => {
    const heightBefore = (await node.head()).number;
    const listed = await node.list({ symbol: "OAK", decimals: 18, version: 2 });
    const oak = await answersAgree([listed.token]);
    expect(metadataOf(oak, listed.token)).toEqual({ token_symbol: "OAK", decimals: 18 });
    expect(poolsOf(oak)).toContain(listed.pool);
    const blocks = (await node.head()).number - heightBefore;

    await node.rpc("anvil_rollback", blocks);
    const relisted = await node.list({ symbol: "ELM", decimals: 6, version: 3 });
    expect(relisted.token).toBe(listed.token);
    const elm = await answersAgree([listed.token]);
    expect(metadataOf(elm, listed.token)).toEqual({ token_symbol: "ELM", decimals: 6 });
    expect(poolsOf(elm)).toContain(relisted.pool);
    expect(poolsOf(elm)).not.toContain(listed.pool);
    const candles = candlesOf(listed.token, "1m");
    expect(elm[candles]).not.toEqual(oak[candles]);

    await fork(blocks, blocks + 2);
    const neither = await answersAgree([listed.token]);
    expect(metadataOf(neither, listed.token)).toBeUndefined();
    expect(poolsOf(neither)).not.toContain(relisted.pool);
  });
});

/**
 * Rounds the volumes of candles. The engine may sum a volume in any order, so the last of its sixteen digits
 * may differ.
 */
function withRoundedSums(answer: unknown): unknown {
  const copy = structuredClone(answer) as { data?: { volume?: number }[] | object };
  for (const candle of Array.isArray(copy.data) ? copy.data : []) {
    if (candle.volume !== undefined) candle.volume = expect.closeTo(candle.volume, VOLUME_DIGITS);
  }
  return copy;
}

function metadataOf(answers: RestAnswers, token: string) {
  const rows = answers.token_metadata as { token_address: string; token_symbol: string; decimals: number }[];
  const found = rows.find((row) => row.token_address === token);
  return found && { token_symbol: found.token_symbol, decimals: found.decimals };
}

function poolsOf(answers: RestAnswers): string[] {
  return (answers.pool_metadata as { pool_address: string }[]).map((row) => row.pool_address);
}
