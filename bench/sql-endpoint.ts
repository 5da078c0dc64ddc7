/**
 * What does the SQL endpoint cost beyond the engine, and do heavy queries keep light ones waiting? Generates trades, asks the
 * service over HTTP, and beside it, in turn, the engine alone: the same SQL in a bare session of chDB, its answer taken as
 * it comes, without pipe, file or HTTP.
 *
 *   UV_THREADPOOL_SIZE=16 npx tsx bench/sql-endpoint.ts --data FOLDER [--trades 3000000] [--rounds 15] [--no-load]
 */
import { parseArgs } from "node:util";
import { Session } from "chdb";
import { DEFAULT_LIMITS } from "../src/api/limits.ts";
import { createServer } from "../src/api/server.ts";
import { ethereum } from "../src/chains/ethereum.ts";
import { ANSWER_FORMATS, type AnswerFormat } from "../src/reads/answer-format.ts";
import type { Reader } from "../src/reads/snapshot.ts";
import { compileSql } from "../src/sql/compile.ts";
import { chainCommits } from "../src/storage/commit-log.ts";
import { engineTable } from "../src/storage/ddl.ts";
import { openEmbeddedEngine } from "../src/storage/embedded-engine.ts";
import { CONNECTION_SETTINGS } from "../src/storage/transport.ts";
import { centiles } from "./support/centiles.ts";
import { END, generateMarket, LAST_BLOCK, tokensByRank } from "./support/generated-market.ts";
import { type SqlAnswered, startSqlClient } from "./support/sql-client.ts";

const { values: options } = parseArgs({
  options: {
    data: { type: "string", default: "quarry-bench-sql" },
    trades: { type: "string", default: "3000000" },
    rounds: { type: "string", default: "15" },
    "no-load": { type: "boolean", default: false },
  },
});

const tell = (line: string) => void process.stdout.write(`${line}\n`);
const engine = await openEmbeddedEngine({ path: options.data });
await generateMarket(engine, Number(options.trades), tell);
const reader: Reader = { engine, chains: [{ chain: ethereum, store: chainCommits(engine, ethereum.name) }] };
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
    `SELECT * FROM eth_dex_trades WHERE token_address = '${token}' AND timestamp > ${END - 86_400} ORDER BY timestamp DESC LIMIT 1`,
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

/** Milliseconds of the processors: what else the machine does lengthens them little. */
async function cpuOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function askBare(query: string, format: AnswerFormat): Promise<number> {
  const { engineFormat, form } = ANSWER_FORMATS[format];
  const { sql } = compileSql(query, {
    chains: ["eth"],
    now: END,
    form,
    limits: { maxRows: DEFAULT_LIMITS.sqlRows },
    engineTable,
    bound: () => LAST_BLOCK,
  });
  const started = performance.now();
  (await bare.queryAsync(sql, { format: engineFormat })).bytes();
  return performance.now() - started;
}

/** What Node holds besides the engine, at most, while something runs. */
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
  tell(
    "| question | format | engine alone p50 / p95 (least, samples) | endpoint | overhead p50, least | processor time alone, endpoint, overhead | MB | Node at most, MB | RSS |",
  );
  tell("|---|---|---|---|---|---|---|---|---|");
  for (const [name, format, query] of QUESTIONS) {
    const rounds = name.startsWith("1,000,000")
      ? Math.ceil(Number(options.rounds) / 2)
      : Number(options.rounds);
    const alone: number[] = [];
    const asked: SqlAnswered[] = [];
    const cpuAlone: number[] = [];
    const cpuAsked: number[] = [];
    await askBare(query, format);
    await ask(port, query, format);
    for (let i = 0; i < rounds; i++) {
      cpuAlone.push(await cpuOf(async () => alone.push(await askBare(query, format))));
      cpuAsked.push(await cpuOf(async () => asked.push(await ask(port, query, format))));
    }
    const memory = await nodeMemory(() => ask(port, query, format));
    const wrong = asked.find(({ status }) => status !== 200);
    if (wrong !== undefined) throw new RangeError(`${name}: status ${wrong.status}`);
    const times = asked.map(({ milliseconds }) => milliseconds);
    const percent = (whole: number, part: number) => `${Math.round((whole / part - 1) * 100)} %`;
    const share = (of: (all: number[]) => number) => percent(of(times), of(alone));
    const middle = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
    const mb = (bytes: number) => (bytes / 1e6).toFixed(1);
    tell(
      `| ${name} | ${format} | ${centiles({ milliseconds: alone })} | ${centiles({ milliseconds: times })} | ${share(middle)}, ${share((all) => Math.min(...all))} | ${middle(cpuAlone).toFixed(0)}, ${middle(cpuAsked).toFixed(0)}, ${percent(middle(cpuAsked), middle(cpuAlone))} | ${mb(asked[0]?.bytes ?? 0)} | ${mb(memory.node)} | ${mb(memory.rss)} |`,
    );
  }
}

/** Reads a hash of each trade, and holds all of them: seconds. */
const HEAVY =
  "SELECT COUNT(DISTINCT transaction_hash) AS n, COUNT(DISTINCT record_index) AS m FROM eth_dex_trades WHERE amount_usd * 3 > amount_eth - 7";
const LIGHT = `SELECT COUNT(*) AS n, MAX(price_token_usd_tick_1) AS price FROM eth_dex_trades WHERE token_address = '${token}' AND timestamp > ${END - 86_400}`;
const LOAD_MS = 15_000;

async function underLoad(port: number, heavy: number): Promise<string> {
  const until = performance.now() + LOAD_MS;
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
  const beside = heavy === 0 ? "" : centiles({ milliseconds: heavyTimes });
  return `| ${heavy} | ${centiles({ milliseconds: light })} | ${refused} | ${beside} |`;
}

const app = await createServer(reader);
await app.listen({ host: "127.0.0.1", port: 0 });
const portOf = (server: typeof app) => Number(new URL(server.listeningOrigin).port);
await overhead(portOf(app));
const oneLine = await createServer({ ...reader, limits: { quickMs: 3_600_000, quickQueries: 2 } });
await oneLine.listen({ host: "127.0.0.1", port: 0 });
for (const [name, server] of [
  ["two lanes", app],
  ["one line for all", oneLine],
] as const) {
  tell(
    `\n${name}\n\n| heavy clients | light query p50 / p95 (least, samples), ms | refused | heavy query, ms |\n|---|---|---|---|`,
  );
  for (const heavy of options["no-load"] ? [] : [0, 1, 2, 4, 8]) tell(await underLoad(portOf(server), heavy));
}
await app.close();
await oneLine.close();
bare.close();
client.stop();
await engine.close();
process.exit();
