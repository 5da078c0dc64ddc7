/**
 * Does the memory of a backfill grow with its length? Indexes an endless chain of mainnet blocks in a
 * separate process. Each round of blocks has new tokens, pools and wallets. Prints the memory of that process
 * during the run, and a straight line fitted to it.
 *
 *   npm run bench -- backfill-memory [--blocks 10000] [--rpc] [--commit-delay-ms 0] [--small-caches]
 *     [--batch-blocks N] [--engine-memory MIB] [--keep FILE]
 *
 * --rpc reads the blocks from a node in another process, so prefetched blocks also count. --commit-delay-ms
 * slows the store down by this time per block. --small-caches sets cache limits that are reached within the
 * first few thousand blocks. --keep FILE writes the samples to a file as they arrive.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BATCH_LIMITS } from "../../src/ingest/blocks/batches.ts";
import { ROOT, type Running, startProcess } from "../../test/support/processes/processes.ts";
import type { Ended, Sample, Subject } from "../support/backfill/backfill-subject.ts";
import { benchOptions } from "../support/bench-options.ts";
import { printTable } from "../support/print-table.ts";
import { fitLine } from "../support/statistics/fit-line.ts";

const options = benchOptions(
  {
    blocks: 10_000,
    rpc: false,
    commitDelayMs: 0,
    batchBlocks: BATCH_LIMITS.blocks,
    engineMemory: 0,
    smallCaches: false,
    keep: "",
  },
  { blocks: 60, batchBlocks: 5 },
);

/** A day of blocks. After it the trailing windows are full. */
const WARM_UP_BLOCKS = 7_200;
const CHECKPOINTS = 6;
const MB = 1_000_000;

const tsx = ["--import", "tsx"];

function script(name: string): string {
  return join(ROOT, "bench/support/backfill", name);
}

async function startNode(): Promise<{ node: Running; url: string }> {
  const node = startProcess(process.execPath, [...tsx, script("endless-node.ts"), String(options.blocks)]);
  const [, url] = await node.printed(/endless node on (\S+)/);
  return { node, url: url ?? "" };
}

const served = options.rpc ? await startNode() : null;
const { batchBlocks, engineMemory } = options;
const described: Subject = {
  blocks: options.blocks,
  commitDelayMs: options.commitDelayMs,
  smallCaches: options.smallCaches,
  batchBlocks,
  ...(served === null ? {} : { url: served.url }),
  ...(engineMemory === 0 ? {} : { engineMemoryMiB: engineMemory }),
};
const command = [...tsx, script("backfill-subject.ts"), JSON.stringify(described)];
const subject = startProcess(process.execPath, command, { UV_THREADPOOL_SIZE: "16" });
const { keep } = options;
if (keep !== "") {
  writeFileSync(keep, "");
  subject.child.stdout?.on("data", (chunk: Buffer) => appendFileSync(keep, chunk));
}
const finished = await subject.finished;
await served?.node.stop();
if (finished.code !== 0) {
  process.stderr.write(finished.stderr);
  process.exit(1);
}
const lines = finished.stdout.trim().split("\n");
const ended = JSON.parse(lines.pop() ?? "{}") as Ended;
const samples = lines.map((line) => JSON.parse(line) as Sample);

const COLUMNS = {
  "all (RSS)": (sample: Sample) => sample.rss,
  "V8 heap used": (sample: Sample) => sample.heapUsed,
  "live after collection": (sample: Sample) => sample.live,
  "array buffers": (sample: Sample) => sample.arrayBuffers,
  "engine's own count": (sample: Sample) => sample.engine,
  "engine's caches": (sample: Sample) => sample.caches,
} as const;

printTable(
  ["blocks", "seconds", "peak RSS", ...Object.keys(COLUMNS), "fetched ahead, most"],
  Array.from({ length: CHECKPOINTS }, (_, i) => partOf(i + 1)).filter((cells) => cells !== null),
);
const warmUp = Math.min(WARM_UP_BLOCKS, options.blocks / 3);
const settled = samples.filter(({ blocks }) => blocks > warmUp);
print(`\nafter ${Math.round(warmUp)} blocks, ${settled.length} samples, MB for each further 1,000 blocks:`);
printTable(
  ["what", "MB", "standard error"],
  Object.entries(COLUMNS).map(([name, value]) => {
    const { slope, error } = fitLine(settled.map((sample) => [sample.blocks / 1000, value(sample) / MB]));
    return [name, slope.toFixed(2), error.toFixed(2)];
  }),
);
print(`\n${ended.logs} logs, ${ended.trades} trades, ${ended.pools} pools, ${ended.tokens} tokens`);
print(
  `${(ended.diskBytes / MB).toFixed(0)} MB in tables, ${(ended.directoryBytes / MB).toFixed(0)} MB in the`,
);
print(`directory, ${ended.transferFiles} files left in transfer/, ${ended.parts} parts`);
printTable(
  ["table", "rows", "bytes a row"],
  ended.tables
    .filter(({ rows }) => rows > 0)
    .map(({ table, rows, bytes }) => [table, rows, (bytes / rows).toFixed(1)]),
);
process.exit(0);

/** Returns the medians of one part of the run. The peak is the peak since the start. */
function partOf(part: number): (string | number)[] | null {
  const last = (options.blocks * part) / CHECKPOINTS;
  const until = samples.filter(({ blocks }) => blocks <= last);
  const own = until.filter(({ blocks }) => blocks > last - options.blocks / CHECKPOINTS);
  const end = until.at(-1);
  if (end === undefined) return null;
  const peak = Math.max(...until.map(({ peakRss }) => peakRss));
  const ahead = Math.max(...own.map((sample) => sample.ahead));
  const medians = Object.values(COLUMNS).map((value) => megabytes(median(own.map(value))));
  return [end.blocks, end.seconds.toFixed(0), megabytes(peak), ...medians, ahead];
}

function megabytes(bytes: number): string {
  return (bytes / MB).toFixed(0);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
