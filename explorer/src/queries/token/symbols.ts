import { quarry } from "../service/client.ts";
import { listOf, sqlText, table } from "../service/sql.ts";

interface SymbolsQuestion {
  chain: string;
  tokens: readonly string[];
  signal: AbortSignal;
}

/** The symbols of tokens by their addresses; null where a token tells none. Unknown tokens are left out. */
export async function readSymbols({ chain, tokens, signal }: SymbolsQuestion) {
  if (tokens.length === 0) return new Map<string, string | null>();
  const { sql } = sqlText`SELECT token_address, token_symbol FROM ${table(chain, "token_metadata")}
WHERE token_address IN (${listOf(tokens)}) LIMIT ${tokens.length}`;
  const { rows } = await quarry.sql<{ token_address: string; token_symbol: string | null }>(sql, { signal });
  return new Map(rows.map(({ token_address, token_symbol }) => [token_address, token_symbol]));
}
