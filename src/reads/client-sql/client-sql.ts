import { integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { type CompiledSql, compileSql, type SqlLimits } from "../../sql/compile.ts";
import type { QueryLimits, QueryWork } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import { ANSWER_FORMATS, type AnswerFormat } from "../rows/answer-format.ts";
import type { JsonRows } from "../rows/json-rows.ts";
import {
  type Answer,
  againIfReorganized,
  confirmed,
  newestCommit,
  type Reader,
  readableChain,
  type Snapshot,
  snapshotAt,
} from "../snapshot/snapshot.ts";

interface ClientQuery<T> {
  text: string;
  /** Unix seconds; what NOW() is. */
  now: number;
  format: AnswerFormat;
  sqlLimits: Partial<SqlLimits>;
  limits: QueryLimits;
  /**
   * Takes the answer in pieces, to its end. When they throw, what came of them so far is to be dropped: the
   * query may be asked again.
   */
  collect(pieces: AsyncIterable<Uint8Array>): Promise<T>;
}

/** What was made of the rows of a client's query; they are at most `rowLimit`. */
interface ClientRows<T> {
  rowLimit: number;
  /** True when the query has more rows. */
  truncated: boolean;
  /** Rows that the engine read; null where it does not tell. */
  rowsRead: number | null;
  collected: T;
}

/**
 * Compiles a client's SQL, runs it and has its rows collected, as of one commit; again, should a reorg have
 * interfered.
 *
 * @throws SqlError, NothingIndexed, ReorganizedMeanwhile, and what `collect` throws
 */
export async function askClientQuery<T>(
  reader: Reader,
  query: ClientQuery<T>,
): Promise<Answer<ClientRows<T>>> {
  const compiled = compile(reader, query);
  if (compiled.table === null) return { answer: await run(reader, query, { compiled }), asOf: null };
  const readable = readableChain(reader, compiled.chain);
  return againIfReorganized(async () => {
    const commit = await newestCommit(readable);
    const snapshot = snapshotAt(reader, { readable, commit, limits: query.limits });
    return { answer: await run(reader, query, { compiled, snapshot }), asOf: commit };
  });
}

function compile<T>(
  { chains }: Reader,
  { text, now, format, sqlLimits: limits }: ClientQuery<T>,
): CompiledSql {
  const names = chains.map(({ chain }) => chain.name);
  return compileSql(text, { chains: names, now, limits, form: ANSWER_FORMATS[format].form, engineTable });
}

async function run<T>(
  reader: Reader,
  query: ClientQuery<T>,
  { compiled, snapshot }: { compiled: CompiledSql; snapshot?: Snapshot },
): Promise<ClientRows<T>> {
  const { rowLimit } = compiled;
  const seen: Seen = { rows: 0, truncated: false, work: { rows: null, rowsRead: null } };
  const statement = compiled.print(snapshot?.commit.blockNumber ?? null);
  const pieces = piecesOf(reader, query, { compiled, statement, seen });
  const collected = await query.collect(
    snapshot === undefined ? pieces : confirmed(reader, pieces, snapshot),
  );
  return { rowLimit, truncated: seen.truncated, rowsRead: seen.work.rowsRead, collected };
}

interface Seen extends JsonRows {
  work: QueryWork;
}

function piecesOf<T>(
  { engine }: Reader,
  query: ClientQuery<T>,
  { compiled, statement, seen }: { compiled: CompiledSql; statement: Sql; seen: Seen },
): AsyncIterable<Uint8Array> {
  const { engineFormat, settings, cut } = ANSWER_FORMATS[query.format];
  const onWork = (work: QueryWork) => void Object.assign(seen.work, work);
  const { rowLimit, mostRows, mostBytes: maxBytes } = compiled;
  const stream = (asked: Sql) =>
    engine.stream(sql`${asked}${settings}`, engineFormat, {
      ...query.limits,
      whileRunning: true,
      maxBytes,
      onWork,
    });
  if (mostRows <= rowLimit) return stream(statement);
  if (cut !== null) return cut(stream(statement), rowLimit, seen);
  return firstRows(stream(sql`SELECT * FROM (${statement}) LIMIT ${integer(rowLimit)}`), {
    rowLimit,
    seen,
    async isMore() {
      const next = sql`SELECT 1 AS more FROM (${statement}) LIMIT 1 OFFSET ${integer(rowLimit)}`;
      return (await engine.query(next, query.limits)).length > 0;
    },
  });
}

/** What the engine writes cannot be cut, so it is asked for the rows that may pass, and then whether there are more. */
async function* firstRows(
  pieces: AsyncIterable<Uint8Array>,
  { rowLimit, seen, isMore }: { rowLimit: number; seen: Seen; isMore(): Promise<boolean> },
): AsyncGenerator<Uint8Array> {
  yield* pieces;
  const { rows } = seen.work;
  if (rows === null || rows >= rowLimit) seen.truncated = await isMore();
}
