import { hexBytes, integer, join, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import type { Hex } from "../../../lib/hex.ts";
import { UNREADABLE } from "../../../serving/pools/vaults/vault-change.ts";

/** SQL expressions over the columns of `logs` that interpret the logs of a Vault's pools. */
export interface VaultLogs {
  /** Whether a log may change balances of a pool. */
  isRelevant: Sql;
  /** The pool that a relevant log concerns, as bytes. */
  id: Sql;
  /** Whether the log shows that every change of the pool is in this log or a later one. */
  isRegistration: Sql;
  /**
   * Array of pairs: a token, as bytes, and the amount by which the log changes the pool's balance of it in
   * the Vault.
   */
  changes: Sql;
}

const wordAt = (index: Sql) => sql`reverse(substring(data, 1 + 32 * (${index}), 32))`;
export const signedAt = (index: Sql) => sql`reinterpretAsInt256(${wordAt(index)})`;
export const lastBytes = (word: Sql) => sql`substring(${word}, 13, 20)`;
export const isTopic = (topic: Hex) => sql`topic_0 = ${hexBytes(topic)}`;
export const isAmong = (topics: readonly Hex[]) => sql`topic_0 IN (${join(topics.map(hexBytes))})`;
export const hasWords = (count: number) => sql`length(data) = ${integer(32 * count)}`;
/** Whether a log has this number of words of data, and three indexed arguments. */
export const isPairOf = (words: number) => sql`${hasWords(words)} AND topic_3 IS NOT NULL`;

/** The second and third indexed arguments, as addresses. */
export const [TOKEN_1, TOKEN_2] = [sql`topic_2`, sql`topic_3`].map((topic) =>
  lastBytes(sql`assumeNotNull(${topic})`),
) as [Sql, Sql];

/** The changes of a registration: a single change of zero, so that the registration has a row. */
export const changesOfRegistration = (id: Sql) => sql`[(${id}, toInt256(0))]`;

/** Prints a token in the type that `lastBytes` returns, which all tokens must have. */
export const bytesOfToken = (hex: Hex) =>
  lastBytes(sql`toFixedString(${hexBytes(`0x${hex.slice(2).padStart(64, "0")}`)}, 32)`);

/** The change of a log that cannot be read. */
export const NOT_READABLE = sql`[(${bytesOfToken(UNREADABLE.token)}, toInt256(${integer(UNREADABLE.change)}))]`;
