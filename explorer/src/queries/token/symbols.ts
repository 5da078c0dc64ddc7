import { quarry } from "../service/client.ts";
import { listOf, sqlText, table } from "../service/sql.ts";

/** Reads the symbols of tokens, by address; null if a token has no symbol. Omits unknown tokens. */
export async function readSymbols(chain: string, tokens: readonly string[], signal: AbortSignal) {
  if (tokens.length === 0) return new Map<string, string | null>();
  const { sql } = sqlText`SELECT token_address, token_symbol FROM ${table(chain, "token_metadata")}
WHERE token_address IN (${listOf(tokens)}) LIMIT ${tokens.length}`;
  const { rows } = await quarry.sql<{ token_address: string; token_symbol: string | null }>(sql, { signal });
  return new Map(rows.map(({ token_address, token_symbol }) => [token_address, token_symbol]));
}
