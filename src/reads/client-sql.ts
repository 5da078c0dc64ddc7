import { compileSql } from "../sql/compile.ts";
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
  const readable = readableChain(reader, compile(reader, query, 0).chain);
  const commit = await newestCommit(readable);
  const { sql, rowLimit } = compile(reader, query, commit.blockNumber);
  const seen = { rows: 0, truncated: false };
  const lines = reader.engine.stream(sql, "JSONEachRow", query.limits);
  const snapshot = snapshotAt(reader, { readable, commit, limits: query.limits });
  const json = confirmed(jsonArray(lines, rowLimit, seen), snapshot);
  return { answer: Object.assign(seen, { rowLimit, json }), asOf: commit };
}

/** The chain stands in the text, and its newest block goes into the SQL: so it is compiled twice. */
function compile({ chains }: Reader, { text, now }: ClientQuery, blockNumber: number) {
  const names = chains.map(({ chain }) => chain.name);
  return compileSql(text, { chains: names, now, engineTable, bound: () => blockNumber });
}

async function* confirmed(pieces: AsyncIterable<Uint8Array>, snapshot: Snapshot): AsyncGenerator<Uint8Array> {
  yield* pieces;
  if (!(await stillHolds(snapshot))) throw new ReorganizedMeanwhile(snapshot.chain.name);
}
