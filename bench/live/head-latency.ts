/**
 * Once the node has a block, how long does it take until a client of `/v1/stream` gets the block's frame? The
 * real indexer, engine and service index mainnet-sized blocks at the head, once from a node that announces
 * its heads and once from a node that must be polled. Verification, which takes 7 ms, is off because these
 * blocks cannot be verified.
 *
 *   npm run bench -- head-latency [--blocks 100] [--block-time-ms 2000] [--jitter 0.1] [--missed 0]
 *     [--random] [--heads announced,polled]
 *
 * Blocks arrive in slots, early or late by a share of the block time, or at any time with --random. Their
 * headers have the times of their slots in whole seconds.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { ethereum } from "../../src/chains/ethereum.ts";
import { openForWriting } from "../../src/cli/open-store.ts";
import { API_SETTINGS } from "../../src/cli/serving/api-settings.ts";
import { listen } from "../../src/cli/serving/serve.ts";
import { oneStore } from "../../src/cli/serving/served-stores.ts";
import { defaultSettings } from "../../src/config/settings.ts";
import { Indexer } from "../../src/ingest/indexer.ts";
import { createLogger } from "../../src/lib/log.ts";
import { openRpcSource } from "../../src/sources/rpc-source.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import { benchOptions } from "../support/bench-options.ts";
import type { HeadTimes, Measured, MeasureHeads } from "../support/head-latency/node-and-client.ts";
import { printTable } from "../support/print-table.ts";

const { blocks, heads, ...times } = benchOptions(
  {
    ...{ blocks: 100, blockTimeMs: 2_000, jitter: 0.1, missed: 0 },
    ...{ random: false, heads: "announced,polled" },
  },
  { blocks: 5, blockTimeMs: 500 },
);

/**
 * Number of blocks before the measurement. They warm up the caches, the code and the estimate of the chain's
 * rhythm.
 */
const WARM_UP = 20;

const logger = createLogger("silent");

async function measured(heads: string): Promise<Measured> {
  const child = fork(join(import.meta.dirname, "../support/head-latency/node-and-client.ts"), [heads], {
    execArgv: ["--import", "tsx"],
  });
  child.once("exit", (code) => {
    if (code !== 0) process.exit(1);
  });
  const [node] = (await once(child, "message")) as [{ url: string; head: number }];
  const folder = mkdtempSync(join(tmpdir(), "quarry-bench-"));
  const stop = new AbortController();
  const { signal } = stop;
  const chain = { ...ethereum, blockTimeMs: times.blockTimeMs };
  const engine = await openEmbeddedEngine({ path: folder });
  const chainStore = await openForWriting(engine, chain);
  const source = await openRpcSource({ urls: [node.url], chain, verify: false, signal });
  const from = node.head - 11;
  const indexer = new Indexer({ chain, source, store: chainStore, engine, from, to: null, signal, logger });
  const running = indexer.run();
  await indexer.caughtUp();
  const settings = { ...defaultSettings(API_SETTINGS), port: 0 };
  const api = await listen(settings, {
    stores: oneStore(engine),
    logger,
    indexed: { chain, indexer, source, chainStore },
  });
  const warmUp = Math.min(WARM_UP, Math.floor(blocks / 2));
  child.send({ url: api.url, blocks: blocks + warmUp, ...times } satisfies MeasureHeads);
  const [answer] = (await once(child, "message")) as [Measured];
  child.disconnect();
  stop.abort();
  await running;
  await api.close();
  await source.close();
  await engine.close();
  rmSync(folder, { recursive: true });
  return { times: answer.times.slice(warmUp), headRequests: answer.headRequests / (blocks + warmUp) };
}

function row(heads: string, { times, headRequests }: Measured): (string | number)[] {
  const at = (share: number, of: keyof HeadTimes) => {
    const sorted = times.map((one) => one[of]).sort((a, b) => a - b);
    return Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN);
  };
  const frames = [0.5, 0.95, 0.99].map((share) => at(share, "frame"));
  return [heads, at(0.5, "asked"), at(0.5, "fetched"), ...frames, headRequests.toFixed(1)];
}

const rows = [];
for (const kind of heads.split(",")) rows.push(row(kind, await measured(kind)));
printTable(
  [
    "heads",
    "head requested, p50 ms",
    "block requested",
    "frame, p50",
    "p95",
    "p99",
    "head requests per block",
  ],
  rows,
);
process.stdout.write(`load of the machine at the end: ${loadavg()[0]?.toFixed(1)}\n`);
process.exit(0);
