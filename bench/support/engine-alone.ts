import { type Sql, sql } from "../../src/engine-sql/sql-text.ts";
import { newestCommit, type Reader, readableChain, snapshotAt } from "../../src/reads/snapshot/snapshot.ts";
import type { Engine } from "../../src/storage/store.ts";
import type { PriceQuestion } from "./questions/price-questions.ts";

/** Returns the statements that the read behind an endpoint runs, in order. */
export async function statementsOf(reader: Reader, question: PriceQuestion): Promise<Sql[]> {
  const statements: Sql[] = [];
  const { engine } = reader;
  const noting: Engine = {
    query: (statement, limits) => {
      statements.push(statement);
      return engine.query(statement, limits);
    },
    stream: (statement, format, limits) => {
      statements.push(statement);
      return engine.stream(statement, format, limits);
    },
    execute: (statement) => engine.execute(statement),
    insert: (table, columns, rows) => engine.insert(table, columns, rows),
    close: () => engine.close(),
  };
  const readable = readableChain(reader, "eth");
  const commit = await newestCommit(readable);
  await question.read(snapshotAt({ ...reader, engine: noting }, readable, commit, {}));
  return statements;
}

/**
 * Runs all statements one after another, repeatedly for the given time, and reads the results as bytes.
 * Returns the time of each round in milliseconds.
 */
export async function timeStatements(
  engine: Engine,
  statements: readonly Sql[],
  seconds: number,
): Promise<{ milliseconds: number[] }> {
  const milliseconds: number[] = [];
  const endMs = performance.now() + seconds * 1000;
  do {
    const startedMs = performance.now();
    for (const statement of statements) await answerOf(engine, statement, "JSONEachRow");
    milliseconds.push(performance.now() - startedMs);
  } while (performance.now() < endMs);
  return { milliseconds };
}

async function answerOf(engine: Engine, statement: Sql, format: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of engine.stream(statement, format)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Returns a statement's cost in one line. It counts only the parts and granules that no index could skip. */
export async function engineWork(engine: Engine, statement: Sql): Promise<string> {
  const answer = JSON.parse((await answerOf(engine, statement, "JSON")).toString());
  const { elapsed, rows_read, bytes_read } = answer.statistics;
  const plan = await engine.query<{ explain: string }>(sql`EXPLAIN indexes = 1 ${statement}`);
  const lines = plan.map(({ explain }) => explain).join("\n");
  const reads = lines.split("ReadFromMergeTree").slice(1).map(partsAndGranules);
  const read = `${rows_read} rows (${(bytes_read / 1e6).toFixed(1)} MB) read in ${reads.join(" and ")}`;
  return `${(elapsed * 1000).toFixed(0)} ms, ${answer.rows} rows of ${read}`;
}

/** Returns the parts and granules that remain after the last index of a read. */
function partsAndGranules(plan: string): string {
  const last = (what: RegExp) => [...plan.matchAll(what)].at(-1)?.[1];
  return `${last(/Parts: (\S+)/g)} parts, ${last(/Granules: (\S+)/g)} granules`;
}

/** Returns a shortened statement without its long literals. */
export function gist(statement: Sql): string {
  const short = statement.replace(
    /[0-9a-f]{40}(,[0-9a-f]{40})+/g,
    (all) => `${Math.ceil(all.length / 41)} tokens`,
  );
  return short.replace(/^SELECT .*? FROM/, "SELECT … FROM").slice(0, GIST_LENGTH);
}

const GIST_LENGTH = 300;
