import { hexBytes, integer, join, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import type { Hex } from "../../../lib/hex.ts";
import { UNREADABLE } from "../../../serving/pools/vault-change.ts";

/** How the logs of a Vault's pools are read in SQL, as columns of `logs`. */
export interface VaultLogs {
  /** Whether a log may change balances of a pool. */
  isRelevant: Sql;
  /** The pool that a relevant log concerns, as bytes. */
  id: Sql;
  /** Whether the log shows that every change of the pool is in this log or a later one. */
  isRegistration: Sql;
  /** Array of the tokens, as bytes, and what the log adds to what the Vault holds of them for the pool. */
  changes: Sql;
}

const wordAt = (index: Sql) => sql`reverse(substring(data, 1 + 32 * (${index}), 32))`;
export const signedAt = (index: Sql) => sql`reinterpretAsInt256(${wordAt(index)})`;
export const lastBytes = (word: Sql) => sql`substring(${word}, 13, 20)`;
export const isTopic = (topic: Hex) => sql`topic_0 = ${hexBytes(topic)}`;
export const isAmong = (topics: readonly Hex[]) => sql`topic_0 IN (${join(topics.map(hexBytes))})`;
export const hasWords = (count: number) => sql`length(data) = ${integer(32 * count)}`;
/** Whether a log of this length has three indexed arguments. */
export const isPairOf = (words: number) => sql`${hasWords(words)} AND topic_3 IS NOT NULL`;

/** The second and third indexed arguments, as addresses. */
export const [TOKEN_1, TOKEN_2] = [sql`topic_2`, sql`topic_3`].map((topic) =>
  lastBytes(sql`assumeNotNull(${topic})`),
) as [Sql, Sql];

/** A registration has one change of zero, so that it has a row. */
export const changesOfRegistration = (id: Sql) => sql`[(${id}, toInt256(0))]`;

/** Bytes of the result of `lastBytes`, whose type all tokens must have. */
export const bytesOfToken = (hex: Hex) =>
  lastBytes(sql`toFixedString(${hexBytes(`0x${hex.slice(2).padStart(64, "0")}`)}, 32)`);

/** The change of a log that cannot be read. */
export const NOT_READABLE = sql`[(${bytesOfToken(UNREADABLE.token)}, toInt256(${integer(UNREADABLE.change)}))]`;
