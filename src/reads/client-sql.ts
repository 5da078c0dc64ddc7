import { type CompiledSql, compileSql } from "../sql/compile.ts";
import { engineTable } from "../storage/ddl.ts";
import { type JsonRows, jsonArray } from "./json-rows.ts";
import {
  type Answer,
  againIfReorganized,
  confirmed,
  newestCommit,
  type QueryLimits,
  type Reader,
  readableChain,
  type Snapshot,
  snapshotAt,
} from "./snapshot.ts";

interface ClientQuery<T> {
  text: string;
  /** Unix seconds; what NOW() is. */
  now: number;
  limits: QueryLimits;
  /**
   * Takes the rows, a JSON array in pieces, to their end. When they throw, what came of them so far is to be
   * dropped: the query may be asked again.
   */
  collect(json: AsyncIterable<Uint8Array>): Promise<T>;
}

/** What was made of the rows of a client's query; they are at most `rowLimit`. */
interface ClientRows<T> extends JsonRows {
  rowLimit: number;
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
  const draft = compile(reader, query, null);
  if (draft.table === null) return { answer: await run(reader, query, { compiled: draft }), asOf: null };
  const readable = readableChain(reader, draft.chain);
  return againIfReorganized(async () => {
    const commit = await newestCommit(readable);
    const compiled = compile(reader, query, commit.blockNumber);
    const snapshot = snapshotAt(reader, { readable, commit, limits: query.limits });
    return { answer: await run(reader, query, { compiled, snapshot }), asOf: commit };
  });
}

/** The chain stands in the text, and its newest block goes into the SQL: so it is compiled twice. */
function compile<T>(
  { chains }: Reader,
  { text, now }: ClientQuery<T>,
  newestBlock: number | null,
): CompiledSql {
  const names = chains.map(({ chain }) => chain.name);
  return compileSql(text, { chains: names, now, engineTable, bound: () => newestBlock });
}

async function run<T>(
  reader: Reader,
  { limits, collect }: ClientQuery<T>,
  { compiled, snapshot }: { compiled: CompiledSql; snapshot?: Snapshot },
): Promise<ClientRows<T>> {
  const { sql, rowLimit } = compiled;
  const seen = { rows: 0, truncated: false };
  const rows = jsonArray(reader.engine.stream(sql, "JSONEachRow", limits), rowLimit, seen);
  const collected = await collect(snapshot === undefined ? rows : confirmed(reader, rows, snapshot));
  return { ...seen, rowLimit, collected };
}
