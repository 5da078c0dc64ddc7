import { keepPreviousData } from "@tanstack/react-query";
import { quarry } from "../service/client.ts";
import { settledQuery } from "../service/live-query.ts";
import { listOf, sqlText, table } from "../service/sql.ts";

/** Why tokens are spam, by address. Tokens that are not are omitted. */
export type SpamReasons = ReadonlyMap<string, string>;

/**
 * Which of some tokens are spam. A query of its own, so that a list appears without waiting for the verdict, and is not
 * judged again with each block.
 */
export function spamQuery(chain: string, tokens: readonly string[]) {
  const distinct = [...new Set(tokens)].sort();
  const query = settledQuery(["spam", chain, distinct], (signal) => readSpam(chain, distinct, signal));
  return { ...query, placeholderData: keepPreviousData };
}

export async function readSpam(
  chain: string,
  tokens: readonly string[],
  signal: AbortSignal,
): Promise<SpamReasons> {
  if (tokens.length === 0) return new Map();
  const { sql } = sqlText`SELECT token_address, spam_reasons FROM ${table(chain, "token_metadata")}
WHERE token_address IN (${listOf(tokens)}) AND spam_reasons IS NOT NULL LIMIT ${tokens.length}`;
  const { rows } = await quarry.sql<{ token_address: string; spam_reasons: string }>(sql, { signal });
  return new Map(rows.map(({ token_address, spam_reasons }) => [token_address, spam_reasons]));
}
