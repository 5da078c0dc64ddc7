/**
 * What do traces cost? Serves the same blocks from one process for each way of tracing, and sends the same
 * requests to each process in turn: small ones that are answered from memory, and SQL that the embedded
 * engine runs. The processor time is the service's. A collector in this process accepts all spans.
 *
 *   npm run bench -- tracing [--rounds 9] [--requests 4000] [--queries 400] [--clients 4] [--before FOLDER]
 *
 * With --before, a checkout of another version, such as the previous one, also serves the requests.
 */
import { cpSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { traced, useTracer } from "../src/lib/tracing/tracing.ts";
import { bundleCounts, MAINNET } from "../test/support/nodes/bundles.ts";
import { startReplayNode } from "../test/support/nodes/replay/replay-node.ts";
import {
  BIN,
  type Running,
  runQuarry,
  startProcess,
  temporaryFolder,
} from "../test/support/processes/processes.ts";
import { benchOptions } from "./support/bench-options.ts";
import type { Load } from "./support/http-load.ts";
import { startLoad } from "./support/load.ts";
import { printTable } from "./support/print-table.ts";

const options = benchOptions(
  { rounds: 9, requests: 4_000, queries: 400, clients: 4, before: "" },
  { rounds: 2, requests: 20, queries: 10 },
);

interface Side {
  name: string;
  bin: string;
  env: Record<string, string>;
}

const collector = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200).end());
});
await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

const SIDES: Side[] = [
  ...(options.before === ""
    ? []
    : [{ name: "before", bin: join(options.before, "bin/quarry.cjs"), env: {} }]),
  { name: "off", bin: BIN, env: {} },
  { name: "1 of 100", bin: BIN, env: sampled("parentbased_traceidratio", "0.01") },
  { name: "all", bin: BIN, env: sampled("always_on", "") },
];

function sampled(sampler: string, argument: string): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_TRACES_SAMPLER: sampler,
    ...(argument === "" ? {} : { OTEL_TRACES_SAMPLER_ARG: argument }),
  };
}

interface Served extends Side {
  running: Running;
  url: string;
}

const folder = temporaryFolder();
const original = join(folder.path, "original");
const { first, last } = bundleCounts(MAINNET);
const node = await startReplayNode([MAINNET]);
const range = ["--from", String(first), "--to", String(last)];
const indexed = await runQuarry(["index", "--rpc", node.url, "--data", original, ...range]);
if (indexed.code !== 0) throw new Error(indexed.stderr);
await node.stop();

const served: Served[] = [];
for (const side of SIDES) {
  const data = join(folder.path, side.name);
  cpSync(original, data, { recursive: true });
  const args = ["serve", "--data", data, "--port", "0", "--sql-cache-memory", "0"];
  const running = startProcess(process.execPath, [side.bin, ...args], side.env);
  const [, url = ""] = await running.printed(/serving on (http:\/\/[\w.:]+)/);
  served.push({ ...side, running, url });
}

const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const COUNT = JSON.stringify({ query: "SELECT COUNT(*) AS n FROM eth_logs WHERE log_index > 3" });
/** The time limit is never reached: a load ends with its last request. */
const shared = { clients: options.clients, seconds: 600 };

const KINDS: Record<string, (url: string) => Load> = {
  "small request, from memory": (url) => ({
    ...shared,
    ...{ url: `${url}/v1/price/historical/tick?chain=eth&token_address=${WETH}`, method: "GET" },
    requests: options.requests,
  }),
  "SQL, in the engine": (url) => ({
    ...shared,
    ...{ url: `${url}/v1/sql`, method: "POST", body: COUNT },
    requests: options.queries,
  }),
};

/** Processor time and elapsed time of a request, in microseconds, as medians of the rounds. */
interface Figures {
  processor: number[];
  wall: number[];
}

const load = startLoad();
const rows: (string | number)[][] = [];
for (const [kind, loadAt] of Object.entries(KINDS)) {
  const figures = new Map<string, Figures>(served.map(({ name }) => [name, { processor: [], wall: [] }]));
  for (const { url } of served) await load.run(loadAt(url));
  for (let round = 0; round < options.rounds; round++) {
    // Each round starts with a different side.
    for (let i = 0; i < served.length; i++) {
      const { name, url } = served[(i + round) % served.length] as Served;
      await measure(loadAt(url), url, figures.get(name) as Figures);
    }
  }
  const off = median(figures.get("off")?.processor ?? []);
  for (const [name, { processor, wall }] of figures) {
    const cost = median(processor);
    rows.push([
      kind,
      name,
      Math.round(cost),
      (cost / off).toFixed(2),
      spread(processor),
      Math.round(median(wall)),
    ]);
  }
}
load.stop();
printTable(
  ["request", "traces", "processor, us per request", "ratio to off", "lowest to highest", "p50, us"],
  rows,
);

useTracer(null);
const calls = options.requests * 1_000;
const startedMs = performance.now();
for (let i = 0; i < calls; i++) void traced("part", nothing);
const perCallNs = ((performance.now() - startedMs) / calls) * 1e6;
process.stdout.write(`\nWithout traces, a call of traced() takes ${Math.round(perCallNs)} ns.\n`);

for (const { running } of served) await running.stop();
collector.closeAllConnections();
collector.close();
folder.remove();
process.exit(0);

async function measure(one: Load, url: string, { processor, wall }: Figures): Promise<void> {
  const before = await processorSeconds(url);
  const { milliseconds, failure } = await load.run(one);
  if (failure !== null) throw new Error(failure);
  processor.push((((await processorSeconds(url)) - before) / milliseconds.length) * 1e6);
  wall.push(median(milliseconds) * 1_000);
}

/** Returns the processor time of the service so far, in seconds. */
async function processorSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total ([\d.e+-]+)/m.exec(text)?.[1]);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function spread(values: readonly number[]): string {
  return `${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))}`;
}

async function nothing(): Promise<void> {}
