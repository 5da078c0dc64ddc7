/**
 * Follows a node until it is killed. Prints its operations, so the test can time a kill. Meanwhile, it merges
 * its tables and reads them like clients.
 * Usage: index-loop.ts DIRECTORY URL
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../../src/engine-sql/sql-text.ts";
import { Indexer } from "../../../src/ingest/indexer.ts";
import { TABLE_NAMES } from "../../../src/schema/tables.ts";
import { openRpcSource } from "../../../src/sources/rpc-source.ts";
import { openChainStore } from "../../../src/storage/clickhouse-store.ts";
import { openDataDirectory } from "../../../src/storage/directory/data-directory.ts";
import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";
import type { ChainStore, Commit } from "../../../src/storage/store.ts";
import { engineTable } from "../../../src/storage/tables/ddl.ts";
import { FOLLOWED_CHAIN } from "./followed-chain.ts";
import { ReaderLoop } from "./reader-loop.ts";

const logger = {
  info() {},
  warn: (fields: object, message: string) => console.log(`warning: ${message} ${JSON.stringify(fields)}`),
};
const [data = "", url = ""] = process.argv.slice(2);
const stop = new AbortController();
process.on("SIGTERM", () => stop.abort());

const directory = await openDataDirectory(data);
const engine = await openEmbeddedEngine({ path: directory.enginePath });
console.log("opening begins");
const store = await openChainStore(engine, FOLLOWED_CHAIN.name);
console.log(`opening ends ${placeOf(await store.committed())}`);
const source = await openRpcSource({ urls: [url], chain: FOLLOWED_CHAIN, verify: false, logger });
const indexer = new Indexer({
  chain: FOLLOWED_CHAIN,
  source,
  store: announced(store),
  engine,
  from: (await store.committed())?.firstBlock ?? 0,
  to: null,
  signal: stop.signal,
  logger,
  pollMs: 5,
  // Small batches split a backfill into many commits.
  batchLimits: { blocks: 4, items: 1_000, waitMs: 20 },
});
const reading = new ReaderLoop({
  reader: { engine, chains: [{ chain: FOLLOWED_CHAIN, store }] },
  chain: FOLLOWED_CHAIN.name,
  pauseMs: 40,
  onViolation: (violation) => console.log(`violation: ${violation}`),
});
const merging = merge();
await indexer.run().finally(() => stop.abort());
await Promise.all([reading.stop(), merging, source.close()]);
console.log(`answers: ${reading.answers}`);
await engine.close();
await directory.release();
process.exit(0);

function placeOf(commit: Commit | null): string {
  return commit === null ? "nothing" : `${commit.blockNumber} ${commit.blockHash}`;
}

async function logged<T>(what: string, run: () => Promise<T>, result: (value: T) => string): Promise<T> {
  console.log(`${what} begins`);
  const value = await run();
  console.log(`${what} ends ${result(value)}`);
  return value;
}

function announced(inner: ChainStore): ChainStore {
  return {
    chain: inner.chain,
    committed: () => inner.committed(),
    commit: (batch) => logged("commit", () => inner.commit(batch), placeOf),
    rollback: (block) => logged("rollback", () => inner.rollback(block), placeOf),
    replace: (blocks, rows) => inner.replace(blocks, rows),
    load: (blocks, write) => inner.load(blocks, write),
    prune: (scope, options) => inner.prune(scope, options),
    exchange: (copy) => inner.exchange(copy),
    recover: () => inner.recover(),
    maintain: (work) => inner.maintain(work),
    amend: (prepare) => inner.amend(prepare),
    guarded: inner.guarded,
    follow: (listener) => inner.follow(listener),
  };
}

/** Merges the tables explicitly, because the engine's own merges are rare and unpredictable. */
async function merge(): Promise<void> {
  for (let i = 0; !stop.signal.aborted; i++) {
    const table = TABLE_NAMES[i % TABLE_NAMES.length] ?? "blocks";
    const statement = sql`OPTIMIZE TABLE ${engineTable(FOLLOWED_CHAIN.name, table)}`;
    // The engine cancels merges of parts that a rollback removed.
    await logged(
      "merge",
      () => engine.execute(statement).catch(() => undefined),
      () => table,
    );
    await sleep(2);
  }
}
