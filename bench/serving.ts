/**
 * How fast are small questions from many clients answered? Uses a large index (the same as
 * bench/interface.ts) or a running demo, over HTTP with 1 to 128 clients. The keys of a question vary from
 * request to request. Measures the service, the same service with only the engine, PostgreSQL with the best
 * indexes behind a minimal HTTP server, and a route that does nothing. Each runs in a separate process. In
 * the first run, one client sends requests with keys that the service does not know yet. Then the clients
 * send each request once, so that the loads that follow use known keys. Finally measures a realistic mix of
 * requests, and the time from the commit of a block to the first response with its trade.
 *
 *   npm run bench -- serving --data FOLDER [--trades 20000000] [--seconds 3] [--clients 1,8,32,128]
 *     [--visit-seconds 120] [--only WORDS] [--key-share 0.1] [--no-postgres]
 *   npm run bench -- serving --demo http://127.0.0.1:8080 --pid PID [--seconds 3]
 *
 * The generated data stays in FOLDER for the next run, and PostgreSQL's data in FOLDER-postgres. PostgreSQL
 * is Debian's package (apt-get install postgresql). PID is the process of `quarry demo`, for its processor
 * time.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "../src/lib/hex.ts";
import { newestCommit } from "../src/storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../src/storage/engines/embedded-engine.ts";
import { benchOptions } from "./support/bench-options.ts";
import { generateMarket, mergeMonths } from "./support/generated-market.ts";
import { generateTransfers } from "./support/generated-transfers.ts";
import { Postgres } from "./support/postgres/postgres.ts";
import { loadServing } from "./support/postgres/serving.ts";
import { printTable } from "./support/print-table.ts";
import { copyTrades } from "./support/questions/wallet-questions.ts";
import { type Agreement, agreementOf } from "./support/serving/agreement.ts";
import { printBars, printVerdicts } from "./support/serving/bars.ts";
import { type Child, startChild } from "./support/serving/child.ts";
import { bareRequest } from "./support/serving/clients/requests.ts";
import { keysOfService, newestTime } from "./support/serving/demo-keys.ts";
import { type Keys, keysOf } from "./support/serving/keys.ts";
import { timesToAppear } from "./support/serving/live.ts";
import { type Measured, Measuring, sidesOf } from "./support/serving/measure.ts";
import { residentMb, withChildren } from "./support/serving/process-figures.ts";
import { realisticMix, servingQuestions } from "./support/serving/questions.ts";
import {
  milliseconds,
  printAgreements,
  printCold,
  printLoads,
  printMemory,
} from "./support/serving/report.ts";
import type { ServicePorts } from "./support/serving/service-process.ts";
import type { SideName, Sides } from "./support/serving/sides.ts";

const options = benchOptions(
  {
    data: "quarry-bench-prices",
    trades: 20_000_000,
    seconds: 3,
    warmUpSeconds: 0.5,
    visitSeconds: 120,
    clients: "1,8,32,128",
    mixClients: "50,200",
    liveBlocks: 100,
    only: "",
    keyShare: 1,
    noPostgres: false,
    demo: "",
    pid: 0,
  },
  {
    trades: 20_000,
    seconds: 0.02,
    warmUpSeconds: 0,
    visitSeconds: 0.02,
    clients: "1,2",
    mixClients: "2",
    liveBlocks: 3,
    keyShare: 0.05,
  },
);

/** Targets that do not apply to a single question. */
const MIX_PER_SECOND = 600;
const MIX_P99_MS = 500;
const LIVE_MS = 100;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const counts = (text: string) => text.split(",").map(Number);
const { seconds, warmUpSeconds, visitSeconds } = options;
const measuring = new Measuring({ clients: counts(options.clients), warmUpSeconds, seconds, visitSeconds });
await (options.demo === "" ? measureIndex() : measureDemo(options.demo));
await measuring.stop();

async function measureIndex(): Promise<void> {
  const folder = `${options.data}-postgres`;
  const postgres = options.noPostgres ? null : await Postgres.start(folder);
  const service = startChild(join(import.meta.dirname, "support/serving/service-process.ts"));
  try {
    await measureService(service, await prepare(postgres), postgres);
  } finally {
    await service.stop();
    await postgres?.stop();
    if (process.argv.includes("--smoke")) rmSync(folder, { recursive: true, force: true });
  }
}

async function measureService(service: Child, keys: Keys, postgres: Postgres | null): Promise<void> {
  const ports = await service.request<ServicePorts>({ kind: "start", data: options.data });
  const front = postgres && (await startPostgresServer(postgres, ports.now));
  const sides: Sides = {
    ...sidesOfService(ports, service.pid),
    ...(front === null ? {} : { PostgreSQL: front.side }),
  };
  const memory = [processMemory("service", () => [service.pid])];
  if (postgres !== null) memory.push(processMemory("PostgreSQL", () => withChildren(postgres.pid)));
  await measureSides(keys, sides, ports.now);
  await measureLive(service, sides, { token: keys.tokens[0] ?? "0x", newest: ports.newestBlock });
  printMemory(memory.map((row) => row()));
  await front?.child.stop();
}

/**
 * Fills the store and PostgreSQL, unless an earlier run has filled them. Returns the keys of the requests.
 */
async function prepare(postgres: Postgres | null): Promise<Keys> {
  const engine = await openEmbeddedEngine({ path: options.data });
  const isNew = (await newestCommitOf(engine)) === null;
  await generateMarket(engine, options.trades, print);
  await copyTrades(engine, print);
  await generateTransfers(engine, print);
  if (isNew) await mergeMonths(engine);
  if (postgres !== null) await loadServing(postgres, engine, print);
  const keys = await keysOf(engine);
  await engine.close();
  return keys;
}

/** Returns the newest commit. Returns null before the first run, because the tables do not exist yet. */
function newestCommitOf(engine: Parameters<typeof newestCommit>[0]) {
  return newestCommit(engine, "eth").catch(() => null);
}

function sidesOfService({ service, engineOnly, bare }: ServicePorts, pid: number): Sides {
  const side = (port: number) => ({ port, prefix: "", pids: [pid] });
  return {
    ours: side(service),
    "engine only": side(engineOnly),
    "bare route": { ...side(service), postPort: bare, instead: bareRequest },
  };
}

async function startPostgresServer(postgres: Postgres, now: number) {
  const child = startChild(join(import.meta.dirname, "support/serving/postgres-server.ts"));
  const { port } = await child.request<{ port: number }>({ connection: postgres.connection, now });
  return { child, side: { port, prefix: "/rows", pids: [child.pid], parents: [postgres.pid] } };
}

/** Reads the memory before a run. Returns a function that makes a row of the memory table after the run. */
function processMemory(name: string, pids: () => number[]): () => [string, number, number] {
  const before = residentMb(pids());
  return () => [name, before, residentMb(pids())];
}

async function measureSides(keys: Keys, sides: Sides, now: number): Promise<void> {
  const names = sidesOf(sides).map(([name]) => name);
  const questions = servingQuestions(keys, now, options.keyShare).filter(({ name }) =>
    name.includes(options.only),
  );
  const measured: Measured[] = [];
  const agreements: Agreement[] = [];
  for (const question of questions) {
    measured.push(await measuring.measure(question, sides));
    process.stderr.write(`${question.name}\n`);
    agreements.push(await agreementOf(question, sides));
  }
  printAgreements(agreements);
  printCold(measured, names);
  printLoads(measured, names);
  printBars(measured);
  await measureMix(keys, sides);
}

/**
 * Measures the mix without PostgreSQL and the bare route, because the mix has clients' SQL and both GET and
 * POST requests.
 */
async function measureMix(keys: Keys, { PostgreSQL: _p, "bare route": _b, ...sides }: Sides): Promise<void> {
  const mix = await measuring.measureMix(realisticMix(keys), sides, counts(options.mixClients));
  printLoads(
    [mix],
    sidesOf(sides).map(([name]) => name),
  );
  const verdicts = [...mix.byClients].flatMap(([clients, { ours }]) => {
    if (ours === undefined || ours.requests === 0) return [];
    const question = `realistic mix, ${clients} clients`;
    const { perSecond, p99 } = ours;
    const speed = { bar: `>= ${MIX_PER_SECOND} requests/s`, figure: perSecond.toFixed(0) };
    const tail = { bar: `p99 <= ${MIX_P99_MS} ms`, figure: `${milliseconds(p99)} ms` };
    return [
      { question, ...speed, isMet: perSecond >= MIX_PER_SECOND },
      { question, ...tail, isMet: p99 <= MIX_P99_MS },
    ];
  });
  print("");
  printVerdicts(verdicts);
}

/**
 * Measures the time until new blocks appear. Rolls the blocks back afterwards, so the next run has the same
 * data.
 */
async function measureLive(
  service: Child,
  sides: Sides,
  { token, newest: first }: { token: Hex; newest: number },
): Promise<void> {
  const rows: string[][] = [];
  let newest = first;
  for (const name of ["ours", "engine only"] satisfies SideName[]) {
    const side = sides[name];
    if (side === undefined) continue;
    const times = await timesToAppear(service, side, { token, blocks: options.liveBlocks, newest });
    newest += options.liveBlocks;
    const [p50, p99] = [0.5, 0.99].map((share) => times[Math.floor(share * times.length)] ?? Number.NaN);
    if (p50 === undefined || p99 === undefined) continue;
    rows.push([name, milliseconds(p50), milliseconds(p99), p99 <= LIVE_MS ? "yes" : "**no**"]);
  }
  await service.request({ kind: "rollback" });
  print(`\nFrom the commit of a block to its trade in a response, ms, ${options.liveBlocks} blocks:\n`);
  printTable(["side", "p50", "p99", `p99 <= ${LIVE_MS} ms`], rows);
}

/** Measures the running demo through its existing routes. The bare route is GET /health. */
async function measureDemo(url: string): Promise<void> {
  const keys = await keysOfService(url);
  const { tokens, wallets, pools } = keys;
  print(
    `${tokens.length} tokens, ${wallets.length} wallets, ${pools.length} pools; larger sets hold all of them`,
  );
  const side = { port: Number(new URL(url).port), prefix: "", pids: options.pid === 0 ? [] : [options.pid] };
  const bare = { ...side, instead: ({ path }: { path: string }) => bareRequest({ path }) };
  const memory = options.pid === 0 ? null : processMemory("demo", () => [options.pid]);
  await measureSides(keys, { ours: side, "bare route": bare }, await newestTime(url));
  if (memory !== null) printMemory([memory()]);
}
