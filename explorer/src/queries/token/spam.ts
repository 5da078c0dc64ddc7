import { keepPreviousData } from "@tanstack/react-query";
import { quarry } from "../service/client.ts";
import { settledQuery } from "../service/live-query.ts";
import { listOf, sqlText, table } from "../service/sql.ts";

/** The reasons why tokens are spam, by address. Other tokens are omitted. */
export type SpamReasons = ReadonlyMap<string, string>;

/**
 * Reads which tokens are spam. This is a separate query, so a list appears without waiting for the verdict,
 * and its tokens are checked again after a rollback, but not with each block.
 */
export function spamQuery(chain: string, tokens: readonly string[], rollbacks: number) {
  const distinct = [...new Set(tokens)].sort();
  const query = settledQuery(["spam", chain, distinct, rollbacks], (signal) =>
    readSpam(chain, distinct, signal),
  );
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
