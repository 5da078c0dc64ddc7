import { integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { type CompiledSql, compileSql, type SqlLimits } from "../../sql/compile.ts";
import type { QueryLimits, QueryWork } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import { ANSWER_FORMATS, type AnswerFormat } from "../rows/answer-format.ts";
import type { JsonRows } from "../rows/json-rows.ts";
import {
  type Answer,
  confirmed,
  newestCommit,
  type Reader,
  readableChain,
  retryOnReorg,
  type Snapshot,
  snapshotAt,
} from "../snapshot/snapshot.ts";

interface ClientQuery<T> {
  text: string;
  /** Value of NOW(), unix seconds. */
  now: number;
  format: AnswerFormat;
  sqlLimits: Partial<SqlLimits>;
  limits: QueryLimits;
  /**
   * Reads the pieces of the answer to their end. If they throw, it must drop what it has, because the query
   * may be retried.
   */
  collect(pieces: AsyncIterable<Uint8Array>): Promise<T>;
}

/** The collected rows of a client's query, at most `rowLimit`. */
interface ClientRows<T> {
  rowLimit: number;
  /** True when the query has more rows. */
  truncated: boolean;
  /** Rows that the engine read; null where it does not report them. */
  rowsRead: number | null;
  collected: T;
}

/**
 * Compiles and runs a client's SQL and collects its rows, as of one commit; retries when a reorg interferes.
 *
 * @throws SqlError, NothingIndexed, ReorganizedDuringRead, and what `collect` throws
 */
export async function runClientQuery<T>(
  reader: Reader,
  query: ClientQuery<T>,
): Promise<Answer<ClientRows<T>>> {
  const compiled = compile(reader, query);
  if (compiled.table === null) return { answer: await run(reader, query, compiled, null), asOf: null };
  const readable = readableChain(reader, compiled.chain);
  return retryOnReorg(async () => {
    const commit = await newestCommit(readable);
    const snapshot = snapshotAt(reader, readable, commit, query.limits);
    return { answer: await run(reader, query, compiled, snapshot), asOf: commit };
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
  compiled: CompiledSql,
  snapshot: Snapshot | null,
): Promise<ClientRows<T>> {
  const { rowLimit } = compiled;
  const seen: Seen = { rows: 0, truncated: false, work: { rows: null, rowsRead: null } };
  const statement = compiled.print(snapshot?.commit.blockNumber ?? null);
  const pieces = piecesOf(reader, query, { compiled, statement, seen });
  const collected = await query.collect(snapshot === null ? pieces : confirmed(reader, snapshot, pieces));
  return { rowLimit, truncated: seen.truncated, rowsRead: seen.work.rowsRead, collected };
}

/** Facts about the answer, updated while it is streamed. */
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
  const stream = (rows: Sql) =>
    engine.stream(sql`${rows}${settings}`, engineFormat, {
      ...query.limits,
      whileRunning: true,
      maxBytes,
      onWork,
    });
  if (mostRows <= rowLimit) return stream(statement);
  if (cut !== null) return cut(stream(statement), rowLimit, seen);
  const first = stream(sql`SELECT * FROM (${statement}) LIMIT ${integer(rowLimit)}`);
  return firstRows(first, rowLimit, seen, async () => {
    const next = sql`SELECT 1 AS more FROM (${statement}) LIMIT 1 OFFSET ${integer(rowLimit)}`;
    return (await engine.query(next, query.limits)).length > 0;
  });
}

/**
 * For formats that cannot be cut: the engine limits the rows, and a second query determines whether there are
 * more.
 */
async function* firstRows(
  pieces: AsyncIterable<Uint8Array>,
  rowLimit: number,
  seen: Seen,
  hasMore: () => Promise<boolean>,
): AsyncGenerator<Uint8Array> {
  yield* pieces;
  const { rows } = seen.work;
  if (rows === null || rows >= rowLimit) seen.truncated = await hasMore();
}
