/**
 * A service that indexes the endless chain and serves streams of it, in a separate process. The parent
 * process controls it with messages: each `mine` message adds a block.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { createServer } from "../../../src/api/http/server.ts";
import { ethereum } from "../../../src/chains/ethereum.ts";
import { keepServing, withServing } from "../../../src/cli/serving/serving-states.ts";
import { Indexer } from "../../../src/ingest/indexer.ts";
import { createLogger } from "../../../src/lib/log.ts";
import type { Rows } from "../../../src/schema/tables.ts";
import { openChainStore } from "../../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";
import { EndlessChain } from "../../../test/support/nodes/endless-chain.ts";
import { EndlessSource } from "../backfill/endless-source.ts";
import { monotonicMs, serveParent } from "../serving/child.ts";
import { KeyCounts, type StreamKeys } from "./stream-keys.ts";

export type StreamingMessage =
  /** Indexes the first blocks at once. */
  { kind: "start"; blocks: number; streams: number } | { kind: "mine" } | { kind: "metrics" };

export interface StreamingService {
  port: number;
  keys: StreamKeys;
}

/**
 * Times when the source offered a block to the indexer, when the indexer committed it, and when all frames
 * were written.
 */
export interface MinedBlock {
  number: number;
  offeredMs: number;
  committedMs: number;
  sentMs: number;
}

const SERVING_BYTES = 1024 * 2 ** 20;

/** Number of blocks from mainnet's final block to its head. */
const FINAL_DEPTH = 64;

/** Number of warm-up blocks whose tokens, pools and wallets the clients subscribe to. */
const KEY_BLOCKS = 48;

const folder = mkdtempSync(join(tmpdir(), "quarry-bench-streams-"));
const engine = await openEmbeddedEngine({ path: folder });
const store = await openChainStore(engine, ethereum.name);
const chain = await EndlessChain.open(ethereum);
const logger = createLogger("warn");
const stop = new AbortController();
const keys = new KeyCounts();
let app: FastifyInstance | null = null;
let source: EndlessSource | null = null;
let firstKeyBlock = 0;
let committedMs = 0;
let onSent: (block: number) => void = () => {};

/** Listener that must be added first. The store calls its listeners in the order in which they were added. */
const before = {
  extended: (_: unknown, rows: Rows) => {
    committedMs = monotonicMs();
    if (app === null) keys.count(rows, firstKeyBlock);
  },
};
const after = { extended: ({ blockNumber }: { blockNumber: number }) => onSent(blockNumber) };
const ignored = { rolledBack: () => {}, replaced: () => {} };

function sent(block: number): Promise<void> {
  return new Promise((resolve) => {
    onSent = (number) => number >= block && resolve();
  });
}

async function start({ blocks, streams }: { blocks: number; streams: number }): Promise<StreamingService> {
  const last = chain.first + blocks - 1;
  firstKeyBlock = last - KEY_BLOCKS + 1;
  source = new EndlessSource(chain, blocks, FINAL_DEPTH);
  store.follow({ ...ignored, ...before });
  const chains = await withServing([{ chain: ethereum, store }], SERVING_BYTES, store);
  store.follow({ ...ignored, ...after });
  const isWarm = sent(last);
  const { signal } = stop;
  const indexer = { chain: ethereum, source, store, engine, from: chain.first, to: null, signal, logger };
  void new Indexer(indexer).run();
  await isWarm;
  void keepServing({ engine, chains }, { logger, signal });
  app = await createServer({ engine, chains, limits: { streams } });
  const port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
  return { port, keys: keys.ranked() };
}

async function mine(): Promise<MinedBlock> {
  if (source === null) throw new RangeError("the service has not started");
  const { number, offeredMs } = source.mine(monotonicMs);
  await sent(number);
  return { number, offeredMs, committedMs, sentMs: monotonicMs() };
}

async function metrics(): Promise<string> {
  return (await app?.inject("/metrics"))?.body ?? "";
}

async function respond(message: StreamingMessage): Promise<unknown> {
  if (message.kind === "start") return start(message);
  return message.kind === "mine" ? mine() : metrics();
}

serveParent(respond, async () => {
  stop.abort();
  await app?.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});
