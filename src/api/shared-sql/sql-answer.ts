import type { PreparedQuery } from "../../reads/client-sql/client-sql.ts";
import type { Commit } from "../../reads/snapshot/snapshot.ts";
import type { ApiLimits } from "../admission/limits.ts";
import type { BufferedAnswer } from "../answers/unread/buffered-answer.ts";

/** A client's SQL, before it is compiled. */
export interface SqlRequest {
  /**
   * The text and everything else that determines the answer: at the same commit and time, requests with equal
   * identities have equal answers.
   */
  identity: string;
  /** Limits of the client; part of the identity. */
  limits: ApiLimits;
  /** Value of NOW(), unix seconds. */
  now: number;
  /** @throws SqlError */
  prepare(): PreparedQuery;
  /** Transforms the bytes of the engine's answer; part of the identity. */
  convert?: (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
}

/** Facts about an answer that its headers report. */
export interface SqlFacts {
  rowLimit: number;
  /** The queried chain; null for SHOW TABLES. */
  chain: string | null;
  truncated: boolean;
  rowsRead: number | null;
  /** The commit that the answer reflects; null if the answer does not depend on a block. */
  asOf: Commit | null;
}

/** The answer to one request. */
export interface SqlAnswer extends SqlFacts {
  body: BufferedAnswer | Buffer;
  /** Time that this request waited for the query to run; 0 for a kept answer. */
  elapsedMs: number;
}
