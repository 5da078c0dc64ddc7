/**
 * What does the SQL endpoint cost on top of the engine, and do heavy queries delay light ones? Generates
 * trades, queries the service over HTTP, and in turn runs the same SQL in a bare chDB session that reads its
 * whole result into memory. The session runs the SQL twice: without sending the result ("alone"), and with a
 * minimal HTTP server that sends the result to the same client ("sent"), because a client of an engine needs
 * the result. The overhead over "alone" includes the cost of sending the result; the overhead over "sent"
 * does not.
 *
 *   npm run bench -- sql-endpoint --data FOLDER [--trades 3000000] [--rounds 15] [--no-load]
 *
 * --rounds is the minimum number of runs of each query.
 */
import { createServer as createBareServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Session } from "chdb";
import { DEFAULT_LIMITS } from "../../src/api/admission/limits.ts";
import { createServer } from "../../src/api/http/server.ts";
import { ethereum } from "../../src/chains/ethereum.ts";
import { DAY_SECONDS } from "../../src/lib/seconds.ts";
import { ANSWER_FORMATS, type AnswerFormat } from "../../src/reads/rows/answer-format.ts";
import type { Reader } from "../../src/reads/snapshot/snapshot.ts";
import { compileSql } from "../../src/sql/compile.ts";
import { unchangingCommits } from "../../src/storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import { CONNECTION_SETTINGS } from "../../src/storage/engines/transport.ts";
import { engineTable } from "../../src/storage/tables/ddl.ts";
import { benchOptions } from "../support/bench-options.ts";
import { END, generateMarket, LAST_BLOCK, tokensByRank } from "../support/generated-market.ts";
import { type SqlAnswered, startSqlClient } from "../support/sql-client.ts";
import { centiles } from "../support/statistics/centiles.ts";

const options = benchOptions(
  {
    data: "quarry-bench-sql",
    trades: 3_000_000,
    rounds: 15,
    questionMs: 10_000,
    loadMs: 15_000,
    noLoad: false,
  },
  { trades: 20_000, rounds: 1, questionMs: 0, loadMs: 500 },
);

const print = (line: string) => void process.stdout.write(`${line}\n`);
const engine = await openEmbeddedEngine({ path: options.data });
await generateMarket(engine, options.trades, print);
const reader: Reader = {
  engine,
  chains: [{ chain: ethereum, store: unchangingCommits(engine, ethereum.name) }],
};
const bare = new Session(options.data);
const settings = Object.entries(CONNECTION_SETTINGS).map(([name, value]) => `${name} = '${value}'`);
await bare.queryAsync(`SET ${settings.join(", ")}`);
const [token = ""] = await tokensByRank(engine);

const NARROW =
  "SELECT timestamp, block_number, token_address, side, amount_usd, transaction_hash FROM eth_dex_trades";
const QUESTIONS: [string, AnswerFormat, string][] = [
  [
    "newest trade of a token",
    "json",
    `SELECT * FROM eth_dex_trades WHERE token_address = '${token}' AND timestamp > ${END - DAY_SECONDS} ORDER BY timestamp DESC LIMIT 1`,
  ],
  [
    "count by month",
    "json",
    "SELECT HISTOGRAM(timestamp, INTERVAL 1 MONTH) AS month, COUNT(*) AS n, SUM(amount_usd) AS usd FROM eth_dex_trades GROUP BY month ORDER BY month",
  ],
  [
    "traders, the busiest 100",
    "json",
    "SELECT trader_address, COUNT(*) AS n FROM eth_dex_trades GROUP BY trader_address ORDER BY n DESC LIMIT 100",
  ],
  ["10,000 whole rows", "json", "SELECT * FROM eth_dex_trades"],
  ["100,000 rows of 6 columns", "json", `${NARROW} LIMIT 100000`],
  ...(["ndjson", "csv", "parquet", "arrow"] as const).map((format): [string, AnswerFormat, string] => [
    "1,000,000 rows of 6 columns",
    format,
    `${NARROW} LIMIT 1000000`,
  ]),
];

const client = startSqlClient();
const ask = (port: number, query: string, format: AnswerFormat = "json") =>
  client.ask({ port, query, format });

/** Returns the CPU time of a function in milliseconds, which other load on the machine hardly affects. */
async function cpuOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The engine SQL of each query, compiled before the measurement, because a client of the engine would have it
 * ready.
 */
const engineSql = new Map<string, string>();

function engineSqlOf(query: string, format: AnswerFormat): string {
  const { settings, form } = ANSWER_FORMATS[format];
  const limits = { maxRows: DEFAULT_LIMITS.sqlRows };
  const key = `${format} ${query}`;
  const known =
    engineSql.get(key) ??
    `${compileSql(query, { chains: ["eth"], now: END, form, limits, engineTable, listedTokens: () => [] }).print(LAST_BLOCK)}${settings}`;
  engineSql.set(key, known);
  return known;
}

async function runBare(query: string, format: AnswerFormat): Promise<Uint8Array> {
  const { engineFormat } = ANSWER_FORMATS[format];
  return (await bare.queryAsync(engineSqlOf(query, format), { format: engineFormat })).bytes();
}

async function askBare(query: string, format: AnswerFormat): Promise<number> {
  const started = performance.now();
  await runBare(query, format);
  return performance.now() - started;
}

/** A minimal HTTP server around the engine, which sends the result of a query. */
const bareServer = createBareServer(async (request, response) => {
  const { query, format } = JSON.parse(await text(request));
  response.end(await runBare(query, format));
});
await new Promise<void>((resolve) => void bareServer.listen(0, "127.0.0.1", resolve));
const barePort = (bareServer.address() as AddressInfo).port;

/**
 * Returns peak memory while a function runs: Node's memory without the engine, and the memory of the process.
 */
async function nodeMemory(run: () => Promise<unknown>): Promise<{ node: number; rss: number }> {
  const peak = { node: 0, rss: 0 };
  const look = () => {
    const { heapUsed, external, rss } = process.memoryUsage();
    peak.node = Math.max(peak.node, heapUsed + external);
    peak.rss = Math.max(peak.rss, rss);
  };
  const timer = setInterval(look, 5);
  await run();
  clearInterval(timer);
  look();
  return peak;
}

async function overhead(port: number): Promise<void> {
  print(
    "| question | format | engine alone p50 / p95 (least, samples) | engine, sent | endpoint | overhead over alone p50, least | over sent p50, least | processor time alone, sent, endpoint | MB | Node at most, MB | RSS |",
  );
  print("|---|---|---|---|---|---|---|---|---|---|---|");
  for (const [name, format, query] of QUESTIONS) {
    const rounds = name.startsWith("1,000,000") ? Math.ceil(options.rounds / 2) : options.rounds;
    const ways = {
      alone: () => askBare(query, format),
      sent: async () => answered(await ask(barePort, query, format)),
      endpoint: async () => answered(await ask(port, query, format)),
    };
    const times = { alone: [] as number[], sent: [] as number[], endpoint: [] as number[] };
    const cpu = { alone: [] as number[], sent: [] as number[], endpoint: [] as number[] };
    for (const way of WAYS) await ways[way]();
    // Quick queries run more often, because 15 runs of 10 ms are too few to warm up the code.
    const started = performance.now();
    for (let i = 0; i < rounds || performance.now() - started < options.questionMs; i++) {
      for (const way of WAYS) cpu[way].push(await cpuOf(async () => times[way].push(await ways[way]())));
    }
    let bytes = 0;
    const memory = await nodeMemory(async () => {
      bytes = (await ask(port, query, format)).bytes;
    });
    const over = (base: number[]) =>
      `${share(times.endpoint, base, middle)}, ${share(times.endpoint, base, least)}`;
    const cells = [
      name,
      format,
      ...WAYS.map((way) => centiles({ milliseconds: times[way] })),
      over(times.alone),
      over(times.sent),
      WAYS.map((way) => middle(cpu[way]).toFixed(0)).join(", "),
      ...[bytes, memory.node, memory.rss].map((size) => (size / 1e6).toFixed(1)),
    ];
    print(`| ${cells.join(" | ")} |`);
  }
}

const WAYS = ["alone", "sent", "endpoint"] as const;

const middle = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
const least = (all: number[]) => Math.min(...all);

function share(whole: number[], part: number[], of: (all: number[]) => number): string {
  return `${Math.round((of(whole) / of(part) - 1) * 100)} %`;
}

function answered({ status, milliseconds }: SqlAnswered): number {
  if (status !== 200) throw new RangeError(`status ${status}`);
  return milliseconds;
}

/** A heavy query: reads the hash of each trade and keeps all hashes in memory, which takes seconds. */
const HEAVY =
  "SELECT COUNT(DISTINCT transaction_hash) AS n, COUNT(DISTINCT record_index) AS m FROM eth_dex_trades WHERE amount_usd * 3 > amount_eth - 7";
const LIGHT = `SELECT COUNT(*) AS n, MAX(price_token_usd_tick_1) AS price FROM eth_dex_trades WHERE token_address = '${token}' AND timestamp > ${END - DAY_SECONDS}`;

async function underLoad(port: number, heavy: number): Promise<string> {
  const until = performance.now() + options.loadMs;
  let refused = 0;
  const heavyTimes: number[] = [];
  const loads = Array.from({ length: heavy }, async () => {
    while (performance.now() < until) {
      const { status, milliseconds } = await ask(port, HEAVY);
      if (status === 200) heavyTimes.push(milliseconds);
    }
  });
  const light: number[] = [];
  while (performance.now() < until) {
    const { status, milliseconds } = await ask(port, LIGHT);
    if (status === 200) light.push(milliseconds);
    else refused++;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await Promise.all(loads);
  const heavyMs = heavy === 0 ? "" : centiles({ milliseconds: heavyTimes });
  return `| ${heavy} | ${centiles({ milliseconds: light })} | ${refused} | ${heavyMs} |`;
}

const app = await createServer(reader);
await app.listen({ host: "127.0.0.1", port: 0 });
const portOf = (server: typeof app) => Number(new URL(server.listeningOrigin).port);
await overhead(portOf(app));
const oneQueue = await createServer({ ...reader, limits: { quickMs: 3_600_000, quickQueries: 2 } });
await oneQueue.listen({ host: "127.0.0.1", port: 0 });
for (const [name, server] of [
  ["two tiers", app],
  ["one queue for all", oneQueue],
] as const) {
  if (options.noLoad) break;
  print(
    `\n${name}\n\n| heavy clients | light query p50 / p95 (least, samples), ms | refused | heavy query, ms |\n|---|---|---|---|`,
  );
  for (const heavy of [0, 1, 2, 4, 8]) print(await underLoad(portOf(server), heavy));
}
await app.close();
await oneQueue.close();
bareServer.close();
bare.close();
client.stop();
await engine.close();
process.exit();
