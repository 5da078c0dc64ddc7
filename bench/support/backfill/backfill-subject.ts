/**
 * The process that bench/backfill/backfill-memory.ts measures. Indexes the given number of blocks of the
 * endless chain. Prints a sample after each commit, as one line of JSON, and the disk use at the end.
 *
 *   node --import tsx bench/support/backfill/backfill-subject.ts '{"blocks":100}'
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { ethereum } from "../../../src/chains/ethereum.ts";
import { sql } from "../../../src/engine-sql/sql-text.ts";
import { BATCH_LIMITS } from "../../../src/ingest/blocks/batches.ts";
import type { CacheLimits } from "../../../src/ingest/caches/block-caches.ts";
import { Indexer } from "../../../src/ingest/indexer.ts";
import { openRpcSource } from "../../../src/sources/rpc-source.ts";
import { openChainStore } from "../../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";
import type { Batch, ChainStore } from "../../../src/storage/store.ts";
import { EndlessChain } from "../../../test/support/nodes/endless-chain.ts";
import { EndlessSource } from "./endless-source.ts";

/** The run to measure. */
export interface Subject {
  blocks: number;
  /** Endpoint that serves the blocks. If absent, the process makes them itself. */
  url?: string;
  /** Extra time per block in the store, in ms. */
  commitDelayMs?: number;
  /** Cache limits low enough to be reached within the first few thousand blocks. */
  smallCaches?: boolean;
  /** Values of the settings with these names. If absent, the settings have their default values. */
  batchBlocks?: number;
  engineMemoryMiB?: number;
}

/** Memory of the process after a commit. Sizes are bytes. */
export interface Sample {
  blocks: number;
  seconds: number;
  rss: number;
  /** Peak since the start, as reported by the kernel. */
  peakRss: number;
  heapUsed: number;
  /** Heap after the last full collection. 0 before the first. */
  live: number;
  arrayBuffers: number;
  engine: number;
  /** The engine's mark and key caches, the only caches in use. */
  caches: number;
  /** Number of blocks fetched beyond the newest committed one, just before this commit. */
  ahead: number;
}

/** Disk use at the end. */
export interface Ended {
  logs: number;
  trades: number;
  pools: number;
  tokens: number;
  diskBytes: number;
  directoryBytes: number;
  transferFiles: number;
  parts: number;
  tables: { table: string; rows: number; bytes: number }[];
}

const subject = JSON.parse(process.argv[2] ?? "{}") as Subject;
const { blocks, url, commitDelayMs = 0 } = subject;
const SMALL_CACHES: CacheLimits = {
  ...{ pools: 1_500, tokens: 1_500, balances: 5_000 },
  histories: { tokens: 800, trades: 60_000 },
};
const logger = { info: () => {}, warn: (fields: object, message: string) => console.error(message, fields) };
const first = (await EndlessChain.open(ethereum)).first;
const { source, newestFetched } = url === undefined ? await directSource() : await rpcSource(url);

async function directSource() {
  const direct = new EndlessSource(await EndlessChain.open(ethereum), blocks);
  return { source: direct, newestFetched: async () => direct.newest };
}

async function rpcSource(endpoint: string) {
  const rpc = await openRpcSource({ urls: [endpoint], chain: ethereum, verify: false });
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "endless_served", params: [] });
  const newestFetched = async (): Promise<number> => {
    const answer = await fetch(endpoint, { method: "POST", body });
    return ((await answer.json()) as { result: number }).result;
  };
  return { source: rpc, newestFetched };
}

const directory = mkdtempSync(join(tmpdir(), "quarry-bench-"));
const { engineMemoryMiB, batchBlocks = BATCH_LIMITS.blocks } = subject;
const engine = await openEmbeddedEngine({
  path: directory,
  ...(engineMemoryMiB === undefined ? {} : { memoryBytes: engineMemoryMiB * 2 ** 20 }),
});
const store = await openChainStore(engine, ethereum.name);
const startedMs = performance.now();
let live = 0;
let ahead = 0;

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { kind } = (entry as PerformanceEntry & { detail: { kind: number } }).detail;
    if (kind === constants.NODE_PERFORMANCE_GC_MAJOR) live = process.memoryUsage().heapUsed;
  }
}).observe({ entryTypes: ["gc"] });

/** The store, with an optional delay of each commit. */
const slowStore: ChainStore = {
  chain: store.chain,
  committed: () => store.committed(),
  rollback: (block) => store.rollback(block),
  replace: (span, rows) => store.replace(span, rows),
  load: (blocks, write) => store.load(blocks, write),
  prune: (scope, options) => store.prune(scope, options),
  exchange: (copy) => store.exchange(copy),
  recover: () => store.recover(),
  maintain: (work) => store.maintain(work),
  amend: (prepare) => store.amend(prepare),
  guarded: store.guarded,
  follow: (listener) => store.follow(listener),
  async commit(batch: Batch) {
    if (commitDelayMs > 0) await sleep(commitDelayMs * (batch.lastBlock.number - batch.firstBlock + 1));
    ahead = (await newestFetched()) - batch.firstBlock + 1;
    const commit = await store.commit(batch);
    await sample(batch.lastBlock.number);
    return commit;
  },
};

async function sample(block: number): Promise<void> {
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  const [held] = await engine.query<{ engine: number; caches: number }>(
    sql`SELECT sumIf(value, metric = 'MemoryTracking') AS engine, sumIf(value, metric IN
      ('MarkCacheBytes', 'PrimaryIndexCacheBytes', 'IndexMarkCacheBytes')) AS caches FROM system.metrics`,
  );
  print({
    blocks: block - first + 1,
    seconds: (performance.now() - startedMs) / 1000,
    rss,
    peakRss: process.resourceUsage().maxRSS * 1024,
    heapUsed,
    live,
    arrayBuffers,
    engine: held?.engine ?? 0,
    caches: held?.caches ?? 0,
    ahead,
  } satisfies Sample);
}

await new Indexer({
  chain: ethereum,
  source,
  store: slowStore,
  engine,
  from: first,
  to: first + blocks - 1,
  signal: new AbortController().signal,
  logger,
  batchLimits: { ...BATCH_LIMITS, blocks: batchBlocks },
  ...(subject.smallCaches === true ? { cacheLimits: SMALL_CACHES } : {}),
}).run();
await source.close();
const left = await onDisk();
await engine.close();
rmSync(directory, { recursive: true });
print(left);
process.exit(0);

async function onDisk(): Promise<Ended> {
  const tables = await engine.query<Ended["tables"][number] & { parts: number }>(
    sql`SELECT substring(table, 5) AS table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes, count() AS parts
      FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table ORDER BY bytes DESC`,
  );
  const rowsOf = (name: string) => tables.find(({ table }) => table === name)?.rows ?? 0;
  return {
    logs: rowsOf("logs"),
    trades: rowsOf("dex_trades"),
    pools: rowsOf("pool_metadata"),
    tokens: rowsOf("token_metadata"),
    diskBytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
    directoryBytes: bytesUnder(directory),
    transferFiles: readdirSync(join(directory, "transfer")).filter((name) => !name.startsWith("pipe-"))
      .length,
    parts: tables.reduce((sum, { parts }) => sum + parts, 0),
    tables,
  };
}

function bytesUnder(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) =>
        sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.blocks ?? 0) * 512,
      0,
    );
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
