import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
import { ethereum } from "../../src/chains/ethereum.ts";
import { type Sql, sql } from "../../src/engine-sql/sql-text.ts";
import { Indexer, type IndexOptions } from "../../src/ingest/indexer.ts";
import type { Block } from "../../src/schema/block.ts";
import { DEFAULT_RPC_LIMITS } from "../../src/sources/rpc/limits.ts";
import { openRpcSource } from "../../src/sources/rpc-source.ts";
import type { Source } from "../../src/sources/source.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { Engine } from "../../src/storage/store.ts";
import { dropChain } from "../support/engine/drop-chain.ts";
import { checksums } from "../support/engine/table-checksums.ts";
import { bundleCounts, USDC_WETH } from "../support/nodes/bundles.ts";
import { type ReplayNode, startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { temporaryFolder } from "../support/processes/processes.ts";

const { first: FIRST, last: LAST_RECORDED } = bundleCounts(USDC_WETH);
const LAST = Math.min(FIRST + 999, LAST_RECORDED);
const BATCH_BLOCKS = 20;

/** The engine alone needs about 60 MB. Each of the three heavy queries needs several GB. */
const ENGINE_BYTES = 600e6;
const HEAVY_CLIENTS = 3;
const heavyQuery = sql`SELECT count() AS n FROM (SELECT number FROM numbers(50000000) GROUP BY number)`;
/** Too little memory to sort a whole table. */
const QUERY_BYTES = 300_000;
/** Memory runs out at random, so a single run may be unaffected. */
const MOST_RUNS = 6;

/** With this delay, the engine is five times slower than the source. */
const INSERT_MS = 100;

const QUIET = { info() {}, warn() {} };

describe("an indexer that is short of", { timeout: 240_000 }, () => {
  const folder = temporaryFolder();
  let node: ReplayNode;
  let engine: Engine;
  let source: Source;

  beforeAll(async () => {
    node = await startReplayNode([USDC_WETH]);
    engine = await openEmbeddedEngine({ path: folder.path, memoryBytes: ENGINE_BYTES });
    source = await openRpcSource({ urls: [node.url], chain: ethereum, verify: false });
  });

  afterAll(async () => {
    await source?.close();
    await engine?.close();
    await node?.stop();
    folder.remove();
  });

  async function indexerOf(name: string, changes: Partial<IndexOptions> = {}) {
    const chain = { ...ethereum, name };
    const store = await openChainStore(changes.engine ?? engine, name);
    const indexer = new Indexer({
      ...{ chain, source, store, engine, from: FIRST, to: LAST, logger: QUIET },
      signal: new AbortController().signal,
      batchLimits: { blocks: BATCH_BLOCKS, items: 50_000, waitMs: 1_000 },
      retryWaitsMs: Array.from({ length: 1_000 }, () => 20),
      ...changes,
    });
    return { chain, store, indexer };
  }

  /** Repeats a request until `isOver` returns true, and counts the outcomes. */
  async function asking(isOver: () => boolean, ask: () => Promise<string>): Promise<Map<string, number>> {
    const outcomes = new Map<string, number>();
    while (!isOver()) {
      const outcome = await ask();
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    return outcomes;
  }

  const codeOf = (error: unknown) => String((error as { code?: unknown }).code);
  const runHeavyQuery = () =>
    engine.query(heavyQuery).then(
      () => "answered",
      (error) => codeOf(error),
    );

  it("memory: heavy queries fail, clients get advice, and no row is lost", async () => {
    const calm = await indexerOf("calm");
    await calm.indexer.run();
    const expected = await checksums(engine, "calm");
    expect(expected.dex_trades?.rows).toBeGreaterThan(500);

    for (let run = 1; ; run++) {
      const { chain, store, indexer } = await indexerOf("short");
      const server = await createServer({
        engine,
        chains: [{ chain, store }],
        limits: { queryMemoryBytes: QUERY_BYTES },
      });
      const client = async () => {
        const query = "SELECT * FROM short_logs ORDER BY data DESC LIMIT 100000";
        const response = await server.inject({ method: "POST", url: "/v1/sql", payload: { query } });
        await sleep(20);
        return `${response.statusCode} ${response.statusCode === 200 ? "" : response.body}`;
      };
      let isOver = false;
      const others = [
        asking(() => isOver, client),
        ...Array.from({ length: HEAVY_CLIENTS }, () =>
          asking(() => isOver || indexer.counters.pauses > 0, runHeavyQuery),
        ),
      ];
      await indexer.run().finally(() => {
        isOver = true;
      });
      const [rejected, ...greedy] = await Promise.all(others);
      await server.close();
      expect(await checksums(engine, "short")).toEqual(expected);
      await dropChain(engine, "short");
      expect([...(rejected?.keys() ?? [])].join("\n")).toMatch(/400 .*memory.*Request a shorter time range/);
      expect(greedy.some((outcomes) => outcomes.has("memory"))).toBe(true);
      if (indexer.counters.pauses > 0) break;
      expect(run, "no insert ever failed for lack of memory").toBeLessThan(MOST_RUNS);
    }
    await dropChain(engine, "calm");
  });

  it("engine speed: blocks are fetched no further ahead than the limits allow", async () => {
    const ahead = { taken: 0, fetched: 0 };
    const looking: Promise<void>[] = [];
    const before = receiptsAsked(node);
    const { indexer, store } = await indexerOf("slow", {
      engine: slowed(engine, INSERT_MS),
      source: watched(source, (taken) => {
        ahead.taken = Math.max(ahead.taken, taken - indexer.counters.blocks);
      }),
      onProgress: () => void looking.push(look()),
    });
    const look = async () => {
      const fetched = receiptsAsked(node) - before;
      ahead.fetched = Math.max(ahead.fetched, fetched - indexer.counters.blocks);
    };
    await indexer.run();
    await Promise.all(looking);
    expect((await store.committed())?.blockNumber).toBe(LAST);
    // One batch is being written, one waits to be written, and one is being filled and waits for its next
    // block.
    const mostTaken = 3 * BATCH_BLOCKS + 1;
    expect(ahead.taken).toBeGreaterThan(BATCH_BLOCKS);
    expect(ahead.taken).toBeLessThanOrEqual(mostTaken);
    // A span is fetched as soon as there is room for one block, and another span may be in transit.
    const { maxBlocksAhead, maxBlocksPerRequest } = DEFAULT_RPC_LIMITS;
    expect(ahead.fetched).toBeGreaterThan(mostTaken);
    expect(ahead.fetched).toBeLessThanOrEqual(maxBlocksAhead + 2 * maxBlocksPerRequest + mostTaken);
    await dropChain(engine, "slow");
  });
});

/** Wraps an engine so that each insert takes this much longer. */
function slowed(engine: Engine, ms: number): Engine {
  return {
    query: (statement, limits) => engine.query(statement, limits),
    stream: (statement: Sql, format, limits) => engine.stream(statement, format, limits),
    execute: (statement) => engine.execute(statement),
    close: () => engine.close(),
    async insert(table, columns, rowBinary) {
      await sleep(ms);
      await engine.insert(table, columns, rowBinary);
    },
  };
}

/** Wraps a source. Reports the number of blocks taken so far, each time a block is taken. */
function watched(source: Source, onTaken: (taken: number) => void): Source {
  let taken = 0;
  return {
    head: (known) => source.head(known),
    nextHead: (pollMs, signal) => source.nextHead(pollMs, signal),
    blockRef: (number) => source.blockRef(number),
    hasBlock: (block) => source.hasBlock(block),
    requireUndisputed: (block) => source.requireUndisputed(block),
    finalized: () => source.finalized(),
    call: (calls) => source.call(calls),
    pastLogs: (filter) => source.pastLogs(filter),
    close: () => source.close(),
    async *blocks(range, signal): AsyncGenerator<Block> {
      for await (const block of source.blocks(range, signal)) {
        onTaken(++taken);
        yield block;
      }
    },
  };
}

/** Returns the number of blocks whose receipts were requested from the node. */
function receiptsAsked(node: ReplayNode): number {
  return node.stats().requests.eth_getBlockReceipts ?? 0;
}
