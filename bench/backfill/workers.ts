/**
 * How much more can several processes serve than one, and what does the socket to the embedded engine cost?
 * Two services use copies of the same generated trades. One has a single process, and the other has several.
 * 32 clients in another process send the same requests to both in turn. The clients share the cores with the
 * services.
 *
 *   npm run bench -- workers --data FOLDER [--trades 300000] [--workers 2] [--seconds 5] [--rounds 3]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { ethereum } from "../../src/chains/ethereum.ts";
import { openStore } from "../../src/cli/open-store.ts";
import { sql } from "../../src/engine-sql/sql-text.ts";
import { DAY_SECONDS } from "../../src/lib/seconds.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import { connectServerEngine } from "../../src/storage/engines/server/server-engine.ts";
import type { Transport } from "../../src/storage/engines/transport.ts";
import { openEngineFront } from "../../src/storage/front/engine-front.ts";
import { connectFrontEngine } from "../../src/storage/front/front-engine.ts";
import type { Engine } from "../../src/storage/store.ts";
import { benchOptions } from "../support/bench-options.ts";
import { END, generateMarket, tokensByRank } from "../support/generated-market.ts";
import { type LoadProcess, startLoad } from "../support/load.ts";
import { printTable } from "../support/print-table.ts";

const options = benchOptions(
  { data: "quarry-bench-workers", trades: 300_000, workers: 2, seconds: 5, rounds: 3, statements: 2_000 },
  { trades: 20_000, seconds: 0.3, rounds: 1, statements: 50 },
);
const CLIENTS = 32;
const print = (line: string) => void process.stdout.write(`${line}\n`);
const middle = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
const centile = (all: number[], part: number) =>
  (all.toSorted((a, b) => a - b)[Math.floor(all.length * part)] ?? 0).toFixed(1);

/**
 * Returns the processor time that this process uses per statement, and the median wall time, in milliseconds.
 */
async function costOf(engine: Engine, rounds: number): Promise<{ cpuMs: number; wallMs: number }> {
  const run = () => engine.query(sql`SELECT 1 AS n`);
  for (let i = 0; i < rounds / 10; i++) await run();
  const before = process.cpuUsage();
  const walls: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const startedMs = performance.now();
    await run();
    walls.push(performance.now() - startedMs);
  }
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000 / rounds, wallMs: middle(walls) };
}

const ANSWER = Buffer.from('{"n":1}\n');

/** Transport that responds at once, so only the path to the engine is measured. */
const IDLE: Transport = {
  read: async () => ({ bytes: ANSWER, work: { rows: 1, rowsRead: null } }),
  open: async () => Promise.reject(new RangeError("not measured")),
  streamWhileRunning: async () => Promise.reject(new RangeError("not measured")),
  execute: async () => {},
  insert: async () => {},
  kill: async () => {},
  close: async () => {},
};

async function measureStatements(): Promise<void> {
  const direct = await openEmbeddedEngine({ path: join(options.data, "statements") });
  const front = await openEngineFront(direct.transport);
  const overFront = connectFrontEngine(front.socket);
  const idleFront = await openEngineFront(IDLE);
  const overIdle = connectFrontEngine(idleFront.socket);
  const http = createServer((request, response) => {
    request.resume().on("end", () => response.end(ANSWER));
  });
  await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const overHttp = await connectServerEngine({ url });
  const rows: [string, Engine][] = [
    ["embedded engine, in its own process", direct],
    ["embedded engine over the socket", overFront],
    ["the socket alone, with an engine that does nothing", overIdle],
    ["ClickHouse's client and HTTP, with a server that does nothing", overHttp],
  ];
  const costs = rows.map(() => ({ cpu: [] as number[], wall: [] as number[] }));
  for (let round = 0; round < options.rounds; round++) {
    for (const [i, [, engine]] of rows.entries()) {
      const { cpuMs, wallMs } = await costOf(engine, options.statements);
      costs[i]?.cpu.push(cpuMs);
      costs[i]?.wall.push(wallMs);
    }
  }
  printTable(
    ["`SELECT 1`, both sides in one process", "processor time, ms", "p50, ms"],
    rows.map(([name], i) => [
      name,
      middle(costs[i]?.cpu ?? []).toFixed(2),
      middle(costs[i]?.wall ?? []).toFixed(2),
    ]),
  );
  for (const engine of [overFront, overIdle, overHttp]) await engine.close();
  http.close();
  http.closeAllConnections();
  await front.close();
  await idleFront.close();
  await direct.close();
}

async function makeMarket(folder: string): Promise<string> {
  const store = await openStore({ data: folder });
  await store.openChain(ethereum);
  await generateMarket(store.engine, options.trades, print);
  const [token = ""] = await tokensByRank(store.engine);
  await store.close();
  return token;
}

interface Service {
  workers: number;
  url: string;
  child: ChildProcess;
}

async function serve(data: string, workers: number): Promise<Service> {
  const bin = join(import.meta.dirname, "../../bin/quarry.cjs");
  const args = [bin, "serve", "--data", data, "--port", "0", "--workers", String(workers)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stderr?.on("data", (chunk) => {
      output = (output + chunk).slice(-10_000);
      const [, found] = /serving on (http:[\w.:/]+\d)/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new RangeError(output)));
  });
  return { workers, url, child };
}

/** Returns a metric of all processes of a service. */
async function figure(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.split(" ")[1],
  );
}

interface Question {
  name: string;
  method: "GET" | "POST";
  path: string;
  body?: string;
}

function questionsAbout(token: string): Question[] {
  const query = `SELECT COUNT(*) AS n, MAX(price_token_usd_tick_1) AS price FROM eth_dex_trades WHERE token_address = '${token}' AND timestamp > ${END - DAY_SECONDS}`;
  const price = `/v1/price-api/batch-latest-token-prices?token_address=${token}`;
  return [
    { name: "`/health`", method: "GET", path: "/health" },
    { name: "latest price of a token", method: "GET", path: price },
    { name: "small SQL query", method: "POST", path: "/v1/sql", body: JSON.stringify({ query }) },
  ];
}

interface Measured {
  requestsPerSecond: number;
  cpuMs: number;
  milliseconds: number[];
}

async function measure(load: LoadProcess, url: string, question: Question): Promise<Measured> {
  const { name: _, path, ...request } = question;
  const sizes = { clients: CLIENTS, seconds: options.seconds, requests: Number.MAX_SAFE_INTEGER };
  const cpuBefore = await figure(url, CPU);
  const startedMs = performance.now();
  const { milliseconds, failure } = await load.run({ ...request, ...sizes, url: url + path });
  const seconds = (performance.now() - startedMs) / 1000;
  if (failure !== null) throw new RangeError(failure);
  const cpuMs = (1000 * ((await figure(url, CPU)) - cpuBefore)) / milliseconds.length;
  return { requestsPerSecond: milliseconds.length / seconds, cpuMs, milliseconds };
}

const CPU = "process_cpu_seconds_total";

/** Measures the services in turn, after a warm-up round. */
async function measureInTurn(load: LoadProcess, services: readonly Service[], question: Question) {
  const rounds: Measured[][] = [];
  for (let round = 0; round <= options.rounds; round++) {
    const measured: Measured[] = [];
    for (const { url } of services) measured.push(await measure(load, url, question));
    if (round > 0) rounds.push(measured);
  }
  return services.map((_, i) => rounds.flatMap((measured) => measured[i] ?? []));
}

async function measureRequests(token: string, services: readonly Service[]): Promise<void> {
  const load = startLoad();
  const table: (string | number)[][] = [];
  for (const question of questionsAbout(token)) {
    const found = await measureInTurn(load, services, question);
    const rates = found.map((rounds) => middle(rounds.map(({ requestsPerSecond }) => requestsPerSecond)));
    for (const [i, rounds] of found.entries()) {
      const rate = rates[i] ?? Number.NaN;
      const ms = rounds.flatMap(({ milliseconds }) => milliseconds);
      const cpuMs = middle(rounds.map((round) => round.cpuMs));
      const ratio = rate / (rates[0] ?? Number.NaN);
      const cells = [
        Math.round(rate),
        ratio.toFixed(2),
        centile(ms, 0.5),
        centile(ms, 0.99),
        cpuMs.toFixed(2),
      ];
      table.push([question.name, services[i]?.workers ?? 0, ...cells]);
    }
  }
  load.stop();
  printTable(
    ["request", "processes", "requests/s", "ratio", "p50, ms", "p99, ms", "processor time, ms"],
    table,
  );
  print("");
  const megabytes = services.map(({ url }) => figure(url, "process_resident_memory_bytes"));
  const sizes = (await Promise.all(megabytes)).map((bytes) => Math.round(bytes / 1e6));
  printTable(
    ["processes that serve", "RSS of all processes, MB"],
    services.map(({ workers }, i) => [workers, sizes[i] ?? Number.NaN]),
  );
}

await measureStatements();
print("");
const data = join(options.data, "market");
const copy = join(options.data, `market-${options.workers}`);
const token = await makeMarket(data);
if (!existsSync(copy)) cpSync(data, copy, { recursive: true });
const services = [await serve(data, 1), await serve(copy, options.workers)];
await measureRequests(token, services);
for (const { child } of services) child.kill("SIGTERM");
process.exit();
