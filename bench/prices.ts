/**
 * How fast are the price endpoints on a large index? Generates trades of 50,000 tokens in 400 days, as a backfill and then
 * a follower would have written them, and asks the service over HTTP, alone and with 8 clients at once; beside
 * it the engine alone, with the statements that the service ran, and PostgreSQL on the same rows.
 *
 *   UV_THREADPOOL_SIZE=16 npx tsx bench/prices.ts --data FOLDER [--trades 20000000] [--seconds 4]
 *     [--no-postgres] [--derived]
 *
 * What was generated stays in FOLDER for the next run. --derived also tries tables that could be kept beside the trades.
 * PostgreSQL is Debian's package (apt-get install postgresql), run by ourselves in a temporary folder.
 */
import { parseArgs } from "node:util";
import { createServer } from "../src/api/server.ts";
import { ethereum } from "../src/chains/ethereum.ts";
import type { Reader } from "../src/reads/snapshot.ts";
import { chainCommits } from "../src/storage/commit-log.ts";
import { openEmbeddedEngine } from "../src/storage/embedded-engine.ts";
import { centiles } from "./support/centiles.ts";
import { tryDerivedTables } from "./support/derived-tables.ts";
import { engineWork, gist, statementsOf, timeStatements } from "./support/engine-alone.ts";
import { generateMarket, tokensByRank } from "./support/generated-market.ts";
import type { LoadResult } from "./support/http-load.ts";
import { startLoad } from "./support/load.ts";
import { tryMonthStates } from "./support/month-states.ts";
import { Postgres } from "./support/postgres.ts";
import { loadTrades } from "./support/postgres-trades.ts";
import { type PriceQuestion, priceQuestions } from "./support/price-questions.ts";
import { tryTradesByTime } from "./support/trades-by-time.ts";

const { values: options } = parseArgs({
  options: {
    data: { type: "string", default: "quarry-bench-prices" },
    trades: { type: "string", default: "20000000" },
    seconds: { type: "string", default: "4" },
    "no-postgres": { type: "boolean", default: false },
    derived: { type: "boolean", default: false },
  },
});

const CLIENTS = 8;
const MAX_REQUESTS = 300;
const seconds = Number(options.seconds);

const tell = (line: string) => void process.stdout.write(`${line}\n`);
const engine = await openEmbeddedEngine({ path: options.data });
await generateMarket(engine, Number(options.trades), tell);
const reader: Reader = { engine, chains: [{ chain: ethereum, store: chainCommits(engine, ethereum.name) }] };
const app = await createServer(reader);
const address = await app.listen({ host: "127.0.0.1", port: 0 });
const load = startLoad();
const tokens = await tokensByRank(engine);
const questions = priceQuestions(tokens);

const answers = new Map<string, unknown>();

tell("| question | bar | HTTP p50 / p95 (least, samples) | 8 clients | engine alone p50 / p95 | bytes |");
tell("|---|---|---|---|---|---|");
for (const question of questions) tell(await measured(question));
for (const question of questions) await explain(question);
await app.close();
load.stop();
if (options.derived) {
  await tryDerivedTables(engine, tokens, { seconds, tell });
  await tryMonthStates(engine, tokens, { seconds, tell });
  await tryTradesByTime(engine, tokens, { seconds, tell });
}
if (!options["no-postgres"]) await measurePostgres();
await engine.close();

async function measured(question: PriceQuestion): Promise<string> {
  const request = {
    url: address + question.path,
    method: "POST",
    body: JSON.stringify(question.body),
  } as const;
  await load.run({ ...request, clients: 1, seconds: 1, requests: 20 });
  const alone = await load.run({ ...request, clients: 1, seconds, requests: MAX_REQUESTS });
  const together = await load.run({ ...request, clients: CLIENTS, seconds, requests: MAX_REQUESTS });
  const statements = await statementsOf(reader, question);
  const engineAlone = await timeStatements(engine, statements, seconds);
  if (alone.failure === null) answers.set(question.name, JSON.parse(alone.answer));
  const bar = `${question.barMs} ms`;
  const cells = [
    question.name,
    bar,
    outcome(alone),
    outcome(together),
    centiles(engineAlone),
    `${alone.answer.length}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function outcome(result: LoadResult): string {
  return centiles(result) + (result.failure === null ? "" : ` FAILED: ${result.failure}`);
}

async function explain(question: PriceQuestion): Promise<void> {
  tell(`\n${question.name}:`);
  for (const statement of await statementsOf(reader, question)) {
    tell(`  ${await engineWork(engine, statement)}: ${gist(statement)}`);
  }
}

async function measurePostgres(): Promise<void> {
  const postgres = await Postgres.start();
  try {
    await loadTrades(postgres, engine, tell);
    tell("\n| question | PostgreSQL p50 / p95 | 8 clients | same answer |\n|---|---|---|---|");
    for (const question of questions) {
      const { name, postgres: statement } = question;
      postgres.time(statement, { clients: 1, seconds: 1 });
      const alone = postgres.time(statement, { clients: 1, seconds });
      const together = postgres.time(statement, { clients: CLIENTS, seconds });
      tell(`| ${name} | ${centiles(alone)} | ${centiles(together)} | ${agreement(question, postgres)} |`);
    }
  } finally {
    await postgres.stop();
  }
}

/** Whether both count and add up the same. */
function agreement({ name, checked, postgres: statement }: PriceQuestion, postgres: Postgres): string {
  if (!answers.has(name)) return "not answered";
  const ours = checked(answers.get(name)).filter((value) => value !== null);
  const sum = ours.reduce((total, value) => total + value, 0);
  const [count, theirs] = postgres
    .run(`SELECT count(checked), sum(checked) FROM (${statement}) AS answer`)
    .split("\t")
    .map(Number);
  const same = count === ours.length && Math.abs(sum / (theirs ?? 0) - 1) < 1e-9;
  return same ? `yes, ${count}` : `NO: ${ours.length} and ${count}, ${sum} and ${theirs}`;
}
