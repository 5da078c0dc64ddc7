import { cashOf, scopeOf } from "../../chains/chain.ts";
import { integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { tracedNow } from "../../lib/tracing/tracing.ts";
import { type CompiledSql, compileSql, type RequestedRows, type SqlLimits } from "../../sql/compile.ts";
import type { Engine, QueryLimits, QueryWork } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import { ANSWER_FORMATS, type AnswerFormat } from "../rows/answer-format.ts";
import type { JsonRows } from "../rows/json-rows.ts";
import {
  type Answer,
  type Commit,
  commitFor,
  confirmed,
  engineOf,
  type ReadableChain,
  type Reader,
  readableChain,
  retryOnReorg,
  type Snapshot,
  snapshotAt,
} from "../snapshot/snapshot.ts";

interface ClientQuery extends RequestedRows {
  text: string;
  /** Value of NOW(), unix seconds. */
  now: number;
  format: AnswerFormat;
  sqlLimits: Partial<SqlLimits>;
}

/** A compiled query of a client. */
export interface PreparedQuery {
  /** The chain that the query reads; null for SHOW TABLES, which reads none. */
  readable: ReadableChain | null;
  compiled: CompiledSql;
  format: AnswerFormat;
}

interface RunOptions<T> {
  limits: QueryLimits;
  /** The newest commit, if the caller knows it. The first attempt reads as of this commit. */
  commit?: Commit | null;
  /**
   * Reads all pieces of the answer. If reading them throws, `collect` must discard everything that it has
   * read, because the query may be retried.
   */
  collect(pieces: AsyncIterable<Uint8Array>): Promise<T>;
}

/** The collected rows of a client's query, at most `rowLimit`. */
export interface ClientRows<T> {
  rowLimit: number;
  /** The chain that was read; null for SHOW TABLES. */
  chain: string | null;
  /** True if the query has more rows. */
  truncated: boolean;
  /** Number of rows that the engine read; null if the engine does not report it. */
  rowsRead: number | null;
  collected: T;
}

/** Compiles a client's SQL. @throws SqlError */
export function prepareClientQuery(
  reader: Reader,
  { text, format, sqlLimits: limits, ...given }: ClientQuery,
): PreparedQuery {
  const chains = reader.chains.map(({ chain }) => chain.name);
  const { form } = ANSWER_FORMATS[format];
  const listedTokens = (name: string) => [...cashOf(readableChain(reader, name).chain).keys()];
  const compiled = tracedNow("compile SQL", () =>
    compileSql(text, {
      ...given,
      ...{ chains, limits, form, engineTable, listedTokens },
      scopeOf: (name) => scopeOf(readableChain(reader, name).chain),
    }),
  );
  const readable = compiled.table === null ? null : readableChain(reader, compiled.chain);
  return { readable, compiled, format };
}

/**
 * Runs a client's query and collects its rows, as of one commit; retries when a reorg interferes.
 *
 * @throws NothingIndexed, ReorganizedDuringRead, TooManyAbandoned, and whatever `collect` throws
 */
export async function runClientQuery<T>(
  reader: Reader,
  query: PreparedQuery,
  options: RunOptions<T>,
): Promise<Answer<ClientRows<T>>> {
  const { readable } = query;
  const engine = engineOf(reader, readable ?? {});
  if (query.compiled.stopsLate) engine.abandoned?.requireRoom();
  if (readable === null) return { answer: await run(engine, query, options, null), asOf: null };
  return retryOnReorg(async (attempt) => {
    const known = attempt === 1 ? (options.commit ?? null) : null;
    const commit = known ?? (await commitFor(readable, attempt, options.limits));
    const snapshot = snapshotAt(reader, readable, commit, options.limits);
    return { answer: await run(engine, query, options, snapshot), asOf: commit };
  });
}

async function run<T>(
  engine: Engine,
  query: PreparedQuery,
  { limits, collect }: RunOptions<T>,
  snapshot: Snapshot | null,
): Promise<ClientRows<T>> {
  const { rowLimit } = query.compiled;
  const chain = query.readable?.chain.name ?? null;
  const seen: Seen = { rows: 0, truncated: false, work: { rows: null, rowsRead: null } };
  const statement = query.compiled.print(snapshot?.commit.blockNumber ?? null);
  const pieces = piecesOf(engine, query, limits, { statement, seen });
  const collected = await collect(snapshot === null ? pieces : confirmed(snapshot, pieces));
  return { rowLimit, chain, truncated: seen.truncated, rowsRead: seen.work.rowsRead, collected };
}

/** Facts about the answer, updated while it is streamed. */
interface Seen extends JsonRows {
  work: QueryWork;
}

function piecesOf(
  engine: Engine,
  { compiled, format }: PreparedQuery,
  given: QueryLimits,
  { statement, seen }: { statement: Sql; seen: Seen },
): AsyncIterable<Uint8Array> {
  const { engineFormat, settings, cut } = ANSWER_FORMATS[format];
  const onWork = (work: QueryWork) => void Object.assign(seen.work, work);
  const { rowLimit, mostRows, mostBytes: maxBytes, blockRows, stopsLate } = compiled;
  const limits = {
    ...given,
    ...(blockRows === null ? {} : { blockRows }),
    // If a query does not stop in time, each of its threads takes a core from other clients.
    ...(stopsLate ? { threads: 1 } : {}),
  };
  const stream = (rows: Sql) =>
    engine.stream(sql`${rows}${settings}`, engineFormat, {
      ...limits,
      whileRunning: true,
      maxBytes,
      onWork,
    });
  if (mostRows <= rowLimit) return stream(statement);
  if (cut !== null) return cut(stream(statement), rowLimit, seen);
  const first = stream(sql`SELECT * FROM (${statement}) LIMIT ${integer(rowLimit)}`);
  return firstRows(first, rowLimit, seen, async () => {
    const next = sql`SELECT 1 AS more FROM (${statement}) LIMIT 1 OFFSET ${integer(rowLimit)}`;
    return (await engine.query(next, limits)).length > 0;
  });
}

/**
 * Streams rows in a format that cannot be truncated: the engine limits the rows, and a second query
 * determines whether there are more.
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
