/**
 * How fast are the endpoints besides those for prices, on a large index? The index of bench/prices.ts, asked over HTTP alone and
 * with 8 clients at once; beside it the engine alone, and PostgreSQL on the same rows.
 *
 *   UV_THREADPOOL_SIZE=16 npx tsx bench/interface.ts --data FOLDER [--trades 20000000] [--seconds 4] [--no-postgres]
 *
 * To add questions: a file like support/wallet-questions.ts, its tables in PostgreSQL, and a line in each list below.
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { createServer } from "../src/api/server.ts";
import { ethereum } from "../src/chains/ethereum.ts";
import type { Reader } from "../src/reads/snapshot.ts";
import { chainCommits } from "../src/storage/commit-log.ts";
import { openEmbeddedEngine } from "../src/storage/embedded-engine.ts";
import { createSummaryStatements, seal } from "../src/storage/price-summary.ts";
import { centiles } from "./support/centiles.ts";
import { engineWork, gist, statementsOf, timeStatements } from "./support/engine-alone.ts";
import { generateMarket, LAST_BLOCK } from "./support/generated-market.ts";
import { startLoad } from "./support/load.ts";
import { Postgres } from "./support/postgres.ts";
import { loadWalletTrades } from "./support/postgres-wallets.ts";
import type { PriceQuestion } from "./support/price-questions.ts";
import { copyTrades, walletQuestions } from "./support/wallet-questions.ts";

const { values: options } = parseArgs({
  options: {
    data: { type: "string", default: "quarry-bench-prices" },
    trades: { type: "string", default: "20000000" },
    seconds: { type: "string", default: "4" },
    "no-postgres": { type: "boolean", default: false },
  },
});

const CLIENTS = 8;
const MAX_REQUESTS = 300;
const UNSEALED_BLOCKS = 64;
const seconds = Number(options.seconds);

const tell = (line: string) => void process.stdout.write(`${line}\n`);
const engine = await openEmbeddedEngine({ path: options.data });
await generateMarket(engine, Number(options.trades), tell);
for (const statement of createSummaryStatements(ethereum.name)) await engine.execute(statement);
await seal(engine, ethereum.name, LAST_BLOCK - UNSEALED_BLOCKS);
await copyTrades(engine, tell);

const questions: PriceQuestion[] = [...(await walletQuestions(engine))];
const loads = [loadWalletTrades];

const reader: Reader = { engine, chains: [{ chain: ethereum, store: chainCommits(engine, ethereum.name) }] };
const app = await createServer(reader);
const address = await app.listen({ host: "127.0.0.1", port: 0 });
const load = startLoad();
const answers = new Map<string, unknown>();

tell(`load ${loadavg()[0]?.toFixed(0)}`);
tell("| question | bar | HTTP p50 / p95 (least, samples) | 8 clients | engine alone p50 / p95 | bytes |");
tell("|---|---|---|---|---|---|");
for (const question of questions) tell(await measured(question));
for (const question of questions) await explain(question);
tell(`load ${loadavg()[0]?.toFixed(0)}`);
await app.close();
load.stop();
if (!options["no-postgres"]) await measurePostgres();
await engine.close();

async function measured(question: PriceQuestion): Promise<string> {
  const body = JSON.stringify(question.body);
  const request = { url: address + question.path, method: "POST", body } as const;
  await load.run({ ...request, clients: 1, seconds: 1, requests: 20 });
  const alone = await load.run({ ...request, clients: 1, seconds, requests: MAX_REQUESTS });
  const together = await load.run({ ...request, clients: CLIENTS, seconds, requests: MAX_REQUESTS });
  const engineAlone = await timeStatements(engine, await statementsOf(reader, question), seconds);
  if (alone.failure === null) answers.set(question.name, JSON.parse(alone.answer));
  const failed = alone.failure ?? together.failure;
  const name = failed === null ? question.name : `${question.name}: FAILED, ${failed}`;
  const times = [alone, together, engineAlone].map(centiles);
  return `| ${[name, `${question.barMs} ms`, ...times, alone.answer.length].join(" | ")} |`;
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
    for (const loadInto of loads) await loadInto(postgres, engine, tell);
    tell("\n| question | PostgreSQL p50 / p95 | 8 clients | same answer |\n|---|---|---|---|");
    for (const { name, postgres: statement, checked } of questions) {
      postgres.time(statement, { clients: 1, seconds: 1 });
      const alone = postgres.time(statement, { clients: 1, seconds });
      const together = postgres.time(statement, { clients: CLIENTS, seconds });
      const theirs = Number(postgres.run(`SELECT sum(checked) FROM (${statement}) AS answer`).split("\t")[0]);
      const ours = checked(answers.get(name)).reduce<number>((sum, value) => sum + (value ?? 0), 0);
      const same = theirs === ours ? `yes, ${ours} trades` : `NO: ${ours} and ${theirs}`;
      tell(`| ${name} | ${centiles(alone)} | ${centiles(together)} | ${same} |`);
    }
  } finally {
    await postgres.stop();
  }
}
