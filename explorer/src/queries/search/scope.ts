import { quarry } from "../service/client.ts";
import type { SqlText } from "../service/sql.ts";

/** The chain to search, and the signal that cancels the search. */
export interface SearchScope {
  chain: string;
  signal: AbortSignal;
}

export async function rowsOf<Row extends object>({ sql }: SqlText, { signal }: SearchScope): Promise<Row[]> {
  return (await quarry.sql<Row>(sql, { signal })).rows;
}
