import { quarry } from "../service/client.ts";
import type { SqlText } from "../service/sql.ts";

/** Where is searched. */
export interface Place {
  chain: string;
  /** Up to when it is indexed, in unix seconds. */
  until: number;
  signal: AbortSignal;
}

export async function rowsOf<Row extends object>({ sql }: SqlText, { signal }: Place): Promise<Row[]> {
  return (await quarry.sql<Row>(sql, { signal })).rows;
}
