/**
 * Does the service stay healthy under a long load? Starts a demo, which indexes and serves, and lets clients
 * send a realistic mix of requests. Reports for each interval: requests, their times, responses by status,
 * the memory of the service, and how far the indexer is behind. The memory counts as flat if a line fitted to
 * the figures of the second half rises by less than 5 % in that time.
 *
 *   npm run bench -- soak [--minutes 120] [--clients 200] [--interval-seconds 60] [--days 14]
 *     [--pause-ms 0]
 *
 * --pause-ms is the mean pause of a client between two requests. Without it the clients keep the service at
 * its limit.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../test/support/processes/processes.ts";
import { benchOptions } from "../support/bench-options.ts";
import { type RunningDemo, startDemo } from "../support/demo.ts";
import { printTable } from "../support/print-table.ts";
import { startChild } from "../support/serving/child.ts";
import type { ClientFigures, ClientLoad } from "../support/serving/clients/clients.ts";
import { keysOfService } from "../support/serving/demo-keys.ts";
import { residentMb } from "../support/serving/process-figures.ts";
import { realisticMix } from "../support/serving/questions.ts";
import { fitLine } from "../support/statistics/fit-line.ts";

const options = benchOptions(
  { minutes: 120, clients: 200, intervalSeconds: 60, days: 14, pauseMs: 0 },
  { minutes: 0.1, clients: 4, intervalSeconds: 2, days: 0.05 },
);

/** Responses that a service under load may give on purpose. */
const DELIBERATE = ["429", "503"];

const MOST_RISE = 0.05;

interface Interval extends ClientFigures {
  memoryMb: number;
  lagBlocks: number | null;
}

const folder = temporaryFolder();
const demo = await startDemo(options.days);
const clients = startChild(join(import.meta.dirname, "../support/serving/clients/clients.ts"));
try {
  report(await soak(demo));
} finally {
  await clients.stop();
  await demo.stop();
  folder.remove();
}

async function soak({ url, pid }: RunningDemo): Promise<Interval[]> {
  const file = join(folder.path, "requests.json");
  writeFileSync(file, JSON.stringify(realisticMix(await keysOfService(url))));
  const load: ClientLoad = {
    ...{ port: Number(new URL(url).port), file, prefix: "", clients: options.clients, warmUpSeconds: 0 },
    ...{ seconds: options.intervalSeconds, isOnce: false, pids: [pid], parents: [] },
    ...(options.pauseMs > 0 && { pauseMs: options.pauseMs }),
  };
  const intervals: Interval[] = [];
  for (let i = 0; i < Math.ceil((60 * options.minutes) / options.intervalSeconds); i++) {
    const figures = await clients.request<ClientFigures>(load);
    intervals.push({ ...figures, memoryMb: residentMb([pid]), lagBlocks: await lagOf(url) });
    process.stderr.write(`${rowOf(intervals, i).join(" | ")}\n`);
  }
  return intervals;
}

/** Returns how many blocks the indexer is behind; null if that is not known, or if the request is refused. */
async function lagOf(url: string): Promise<number | null> {
  const response = await fetch(`${url}/v1/status`);
  if (!response.ok) return null;
  const { chains } = (await response.json()) as { chains: { lag_blocks: number | null }[] };
  return chains[0]?.lag_blocks ?? null;
}

function report(intervals: readonly Interval[]): void {
  const head = ["seconds", "requests/s", "p50 ms", "p99 ms", "other responses", "memory, MB", "lag, blocks"];
  printTable(
    head,
    intervals.map((_, i) => rowOf(intervals, i)),
  );
  const others = intervals.flatMap(({ refusals }) => Object.keys(refusals));
  const faults = [...new Set(others)].filter((status) => !DELIBERATE.includes(status));
  const second = intervals.slice(Math.floor(intervals.length / 2)).map(({ memoryMb }) => memoryMb);
  const rise = riseOf(second);
  const percent = `${(100 * rise).toFixed(1)} %`;
  process.stdout.write(
    [
      "",
      `memory in the second half: ${Math.min(...second)} to ${Math.max(...second)} MB, rise ${percent}`,
      `flat memory in the second half: ${rise < MOST_RISE ? "yes" : "no"}`,
      `only deliberate refusals (${DELIBERATE.join(", ")}): ${faults.length === 0 ? "yes" : faults.join(", ")}`,
      "",
    ].join("\n"),
  );
}

function rowOf(intervals: readonly Interval[], i: number): (string | number)[] {
  const { perSecond, p50, p99, refusals, memoryMb, lagBlocks } = intervals[i] as Interval;
  const others = Object.entries(refusals).map(([status, count]) => `${count} x ${status}`);
  return [
    ...[(i + 1) * options.intervalSeconds, Math.round(perSecond), p50.toFixed(1), p99.toFixed(1)],
    ...[others.join(", ") || "none", memoryMb, lagBlocks ?? "refused"],
  ];
}

/**
 * Returns how much a line fitted to equally spaced values rises from end to end, as a share of their mean.
 */
function riseOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.length < 2
    ? 0
    : (fitLine(values.map((value, i) => [i, value])).slope * (values.length - 1)) / mean;
}
