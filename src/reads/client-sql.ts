import { type CompiledSql, compileSql } from "../sql/compile.ts";
import { engineTable } from "../storage/ddl.ts";
import { type JsonRows, jsonArray } from "./json-rows.ts";
import {
  type Answer,
  newestCommit,
  type QueryLimits,
  type Reader,
  ReorganizedMeanwhile,
  readableChain,
  type Snapshot,
  snapshotAt,
  stillHolds,
} from "./snapshot.ts";

interface ClientQuery {
  text: string;
  /** Unix seconds; what NOW() is. */
  now: number;
  limits: QueryLimits;
}

/** The rows of a client's query: a JSON array in pieces, of at most `rowLimit` rows. */
export interface ClientRows extends JsonRows {
  rowLimit: number;
  json: AsyncIterable<Uint8Array>;
}

/**
 * Compiles a client's SQL and starts it. Rows flow as `json` is read; `rows` and `truncated` hold once it
 * has been read to its end, where it throws ReorganizedMeanwhile if a reorg interfered.
 *
 * @throws SqlError, NothingIndexed
 */
export async function openClientQuery(reader: Reader, query: ClientQuery): Promise<Answer<ClientRows>> {
  const draft = compile(reader, query, null);
  if (draft.chain === null || draft.table === null) return { answer: open(reader, query, draft), asOf: null };
  const readable = readableChain(reader, draft.chain);
  const commit = await newestCommit(readable);
  const answer = open(reader, query, compile(reader, query, commit.blockNumber));
  const snapshot = snapshotAt(reader, { readable, commit, limits: query.limits });
  return { answer: Object.assign(answer, { json: confirmed(reader, answer.json, snapshot) }), asOf: commit };
}

/** The chain stands in the text, and its newest block goes into the SQL: so it is compiled twice. */
function compile({ chains }: Reader, { text, now }: ClientQuery, newestBlock: number | null): CompiledSql {
  const names = chains.map(({ chain }) => chain.name);
  return compileSql(text, { chains: names, now, engineTable, bound: () => newestBlock });
}

function open({ engine }: Reader, { limits }: ClientQuery, { sql, rowLimit }: CompiledSql): ClientRows {
  const seen = { rows: 0, truncated: false };
  const json = jsonArray(engine.stream(sql, "JSONEachRow", limits), rowLimit, seen);
  return Object.assign(seen, { rowLimit, json });
}

async function* confirmed(
  reader: Reader,
  pieces: AsyncIterable<Uint8Array>,
  snapshot: Snapshot,
): AsyncGenerator<Uint8Array> {
  yield* pieces;
  if (!(await stillHolds(reader, snapshot))) throw new ReorganizedMeanwhile(snapshot.chain.name);
}
