/**
 * What do many streams cost, and how late are their frames? A service indexes the endless chain of mainnet
 * blocks at a fixed pace, and clients in another process read streams from it. Measures the time from the
 * commit of a block to the arrival of its frame at each client, and the service's processor time and memory.
 * Also measures the time to index a block, with and without clients. Some additional clients never read.
 *
 *   npm run bench -- streams [--clients 2000] [--subscriptions 20] [--block-ms 4000] [--minutes 10]
 *     [--alone-minutes 1] [--silent 20] [--mix realistic|unmatched] [--profile FOLDER]
 *
 * --mix unmatched uses subscriptions that no row matches. --profile writes a CPU profile of the service.
 */
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { benchOptions } from "../support/bench-options.ts";
import { printTable } from "../support/print-table.ts";
import { type Child, monotonicMs, startChild } from "../support/serving/child.ts";
import { processorMs, residentMb } from "../support/serving/process-figures.ts";
import { EVERYTHING, MIXES, SubscriptionMix } from "../support/streams/client-subscriptions.ts";
import type { Arrivals, ClientsMessage } from "../support/streams/stream-clients.ts";
import type { MinedBlock, StreamingMessage, StreamingService } from "../support/streams/streaming-service.ts";

const options = benchOptions(
  {
    clients: 2_000,
    subscriptions: 20,
    blockMs: 4_000,
    minutes: 10,
    aloneMinutes: 1,
    silent: 20,
    warmUpBlocks: 240,
    mix: "realistic",
    profile: "",
  },
  { clients: 4, blockMs: 50, minutes: 0.01, aloneMinutes: 0.005, silent: 1, warmUpBlocks: 24 },
);

/** Number of rows in the memory table. */
const MEMORY_ROWS = 10;

interface Phase {
  blocks: MinedBlock[];
  /** Processor time of the service per block. */
  processorMs: number;
  /** Resident memory of the service after each block, in MB. */
  memory: number[];
  arrivals: Arrivals;
  load: number;
}

const mix = MIXES.find((name) => name === options.mix) ?? "realistic";
const script = (name: string) => join(import.meta.dirname, "../support/streams", name);
const profiling = options.profile === "" ? [] : ["--cpu-prof", `--cpu-prof-dir=${options.profile}`];
const service = startChild(script("streaming-service.ts"), [], profiling);
const clients = startChild(script("stream-clients.ts"));
const ask = <T>(child: Child, message: StreamingMessage | ClientsMessage) => child.request<T>(message);

const { port, keys } = await ask<StreamingService>(service, {
  kind: "start",
  blocks: options.warmUpBlocks,
  // A client may open half of the streams that others leave, so the last ones need room for twice as many.
  streams: 2 * (options.clients + options.silent),
});
const subscriptions = new SubscriptionMix(keys, mix);
const bodyOf = (list: unknown[]) => JSON.stringify({ subscriptions: list });

const before = await run(options.aloneMinutes);
const openedSeconds = await ask<number>(clients, {
  kind: "open",
  port,
  bodies: Array.from({ length: options.clients }, () =>
    bodyOf(subscriptions.ofClient(options.subscriptions)),
  ),
  silent: Array.from({ length: options.silent }, () => bodyOf(EVERYTHING)),
});
print(`${options.clients} streams opened in ${openedSeconds.toFixed(1)} s`);
await ask(clients, { kind: "take" });
const during = await run(options.minutes);
const metrics = await ask<string>(service, { kind: "metrics" });
await ask(clients, { kind: "close" });
const after = await run(options.aloneMinutes);
report();
await clients.stop();
await service.stop();
process.exit(0);

/** Mines blocks at the given pace for a number of minutes. Returns the figures of this phase. */
async function run(minutes: number): Promise<Phase> {
  const blocks: MinedBlock[] = [];
  const memory: number[] = [];
  const processorBefore = processorMs([service.pid]);
  const startedMs = monotonicMs();
  const count = Math.max(2, Math.round((minutes * 60_000) / options.blockMs));
  for (let i = 0; i < count; i++) {
    blocks.push(await ask<MinedBlock>(service, { kind: "mine" }));
    await sleep(Math.max(0, startedMs + (i + 1) * options.blockMs - monotonicMs()));
    memory.push(residentMb([service.pid]));
  }
  return {
    blocks,
    memory,
    processorMs: (processorMs([service.pid]) - processorBefore) / count,
    arrivals: await ask<Arrivals>(clients, { kind: "take" }),
    load: loadavg()[0] ?? 0,
  };
}

function report(): void {
  printTable(
    [
      "",
      "blocks",
      "offered to committed, p50 / p95 ms",
      "commit to last frame written, p50 / p95 ms",
      "processor ms a block",
      "load",
    ],
    [phaseRow("alone", before), phaseRow("with clients", during), phaseRow("alone again", after)],
  );
  const alone = [...before.blocks, ...after.blocks];
  const ratio = quantile(during.blocks.map(indexMs), 0.5) / quantile(alone.map(indexMs), 0.5);
  const perBlock = during.processorMs - (before.processorMs + after.processorMs) / 2;
  const { missed, closed, bytes } = during.arrivals;
  const delays = delaysOf(during);
  print("");
  printTable(
    [
      "frames",
      "missed",
      "streams closed",
      "silent cut off",
      "kB a frame",
      "commit to client, p50 / p95 / p99 ms",
      "processor µs a frame",
      "indexing, ratio",
    ],
    [
      [
        delays.length,
        missed,
        closed,
        `${laggedOf(metrics)} of ${options.silent}`,
        (bytes / 1000 / Math.max(1, delays.length)).toFixed(1),
        [0.5, 0.95, 0.99].map((share) => quantile(delays, share).toFixed(0)).join(" / "),
        ((1000 * perBlock * during.blocks.length) / Math.max(1, delays.length)).toFixed(1),
        ratio.toFixed(2),
      ],
    ],
  );
  print("");
  printTable(["part of the run with clients", "RSS, MB"], memoryRows());
}

function phaseRow(name: string, phase: Phase): (string | number)[] {
  const { blocks, load } = phase;
  const times = (of: (block: MinedBlock) => number) =>
    [0.5, 0.95].map((share) => quantile(blocks.map(of), share).toFixed(1)).join(" / ");
  const written = times(({ committedMs, sentMs }) => sentMs - committedMs);
  return [name, blocks.length, times(indexMs), written, phase.processorMs.toFixed(0), load.toFixed(1)];
}

function indexMs({ offeredMs, committedMs }: MinedBlock): number {
  return committedMs - offeredMs;
}

/** Returns the times from each commit to the frame at each client, in ms. */
function delaysOf({ blocks, arrivals }: Phase): number[] {
  return blocks.flatMap(({ number, committedMs }) =>
    (arrivals.times.get(number) ?? []).map((at) => at - committedMs),
  );
}

function laggedOf(text: string): number {
  return Number(/quarry_stream_frames_total\{transport="sse",event="lagged"\} (\d+)/.exec(text)?.[1] ?? 0);
}

function memoryRows(): (string | number)[][] {
  const { memory } = during;
  const rows = Math.min(MEMORY_ROWS, memory.length);
  return Array.from({ length: rows }, (_, i) => {
    const part = memory.slice(
      Math.floor((i * memory.length) / rows),
      Math.floor(((i + 1) * memory.length) / rows),
    );
    return [`${i + 1} of ${rows}`, quantile(part, 0.5)];
  });
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
