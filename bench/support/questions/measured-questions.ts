import { createServer } from "../../../src/api/http/server.ts";
import { ethereum } from "../../../src/chains/ethereum.ts";
import type { Reader } from "../../../src/reads/snapshot/snapshot.ts";
import { chainCommits } from "../../../src/storage/commits/commit-log.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { engineWork, gist, statementsOf, timeStatements } from "../engine-alone.ts";
import type { LoadResult } from "../http-load.ts";
import { type LoadProcess, startLoad } from "../load.ts";
import { Postgres } from "../postgres/postgres.ts";
import { centiles } from "../statistics/centiles.ts";
import type { PriceQuestion } from "./price-questions.ts";

const CLIENTS = 8;
const MAX_REQUESTS = 300;
/** Maximum warm-up before each measurement. Short runs have less. */
const WARM_UP_SECONDS = 1;

interface Measuring {
  questions: readonly PriceQuestion[];
  engine: Engine;
  /** How long each request is repeated in each system. */
  seconds: number;
  print(line: string): void;
}

/** The service's responses by the name of the request. Failed requests are absent. */
type Answers = ReadonlyMap<string, unknown>;

/** Measures the service over HTTP, with one client and with several, and the engine without the service. */
export async function measureService(measuring: Measuring): Promise<Answers> {
  const { questions, engine, print } = measuring;
  const reader: Reader = {
    engine,
    chains: [{ chain: ethereum, store: chainCommits(engine, ethereum.name) }],
  };
  const app = await createServer(reader);
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  const load = startLoad();
  const answers = new Map<string, unknown>();
  print(
    `| question | bar | HTTP p50 / p95 (least, samples) | ${CLIENTS} clients | engine alone p50 / p95 | bytes |`,
  );
  print("|---|---|---|---|---|---|");
  for (const question of questions) {
    const alone = await measure(question, { ...measuring, reader, address, load });
    if (alone.failure === null) answers.set(question.name, JSON.parse(alone.answer));
  }
  for (const question of questions) await explain(question, { ...measuring, reader });
  await app.close();
  load.stop();
  return answers;
}

async function measure(
  question: PriceQuestion,
  service: Measuring & { reader: Reader; address: string; load: LoadProcess },
): Promise<LoadResult> {
  const { engine, seconds, print, reader, address, load } = service;
  const request = {
    url: address + question.path,
    method: "POST",
    body: JSON.stringify(question.body),
  } as const;
  await load.run({ ...request, clients: 1, seconds: warmUp(seconds), requests: 20 });
  const alone = await load.run({ ...request, clients: 1, seconds, requests: MAX_REQUESTS });
  const together = await load.run({ ...request, clients: CLIENTS, seconds, requests: MAX_REQUESTS });
  const engineAlone = await timeStatements(engine, await statementsOf(reader, question), seconds);
  const times = [outcome(alone), outcome(together), centiles(engineAlone)];
  print(`| ${[question.name, `${question.barMs} ms`, ...times, alone.answer.length].join(" | ")} |`);
  return alone;
}

function warmUp(seconds: number): number {
  return Math.min(seconds, WARM_UP_SECONDS);
}

function outcome(result: LoadResult): string {
  return centiles(result) + (result.failure === null ? "" : ` FAILED: ${result.failure}`);
}

async function explain(
  question: PriceQuestion,
  { reader, engine, print }: Measuring & { reader: Reader },
): Promise<void> {
  print(`\n${question.name}:`);
  for (const statement of await statementsOf(reader, question)) {
    print(`  ${await engineWork(engine, statement)}: ${gist(statement)}`);
  }
}

/** Measures the same queries in PostgreSQL on the same rows, which `fill` writes. */
export async function measurePostgres(
  { questions, seconds, print }: Measuring,
  { answers, fill }: { answers: Answers; fill: (postgres: Postgres) => Promise<void> },
): Promise<void> {
  const postgres = await Postgres.start();
  try {
    await fill(postgres);
    print(`\n| question | PostgreSQL p50 / p95 | ${CLIENTS} clients | same answer |\n|---|---|---|---|`);
    for (const question of questions) {
      const { name, postgres: statement } = question;
      postgres.time(statement, { clients: 1, seconds: warmUp(seconds) });
      const alone = postgres.time(statement, { clients: 1, seconds });
      const together = postgres.time(statement, { clients: CLIENTS, seconds });
      const same = answers.has(name) ? agreement(question, answers.get(name), postgres) : "not answered";
      print(`| ${name} | ${centiles(alone)} | ${centiles(together)} | ${same} |`);
    }
  } finally {
    await postgres.stop();
  }
}

/** Compares the counts and sums of both systems. Returns the result as text for the table. */
function agreement(
  { checked, postgres: statement }: PriceQuestion,
  answer: unknown,
  postgres: Postgres,
): string {
  const ours = checked(answer).filter((value) => value !== null);
  const sum = ours.reduce((total, value) => total + value, 0);
  const [count, theirs] = postgres
    .run(`SELECT count(checked), sum(checked) FROM (${statement}) AS answer`)
    .split("\t")
    .map(Number);
  const same = count === ours.length && Math.abs(sum / (theirs ?? 0) - 1) < 1e-9;
  return same ? `yes, ${count}` : `NO: ${ours.length} and ${count}, ${sum} and ${theirs}`;
}
