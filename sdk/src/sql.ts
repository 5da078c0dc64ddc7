import type { components } from "./api-types.ts";
import { type AsOf, asOf } from "./as-of.ts";
import type { Connection } from "./connection.ts";
import { QuarryError } from "./quarry-error.ts";
import { ask, type CallOptions } from "./request.ts";

/** A cell of an SQL row. Integers above 2^53 are strings, times ISO 8601. */
export type SqlValue = components["schemas"]["QueryAnswer"][number][string];

export interface SqlRows<Row> {
  rows: Row[];
  /** True when the query has more rows than `rowLimit`: these are not all. */
  truncated: boolean;
  rowLimit: number;
  /** Null when the query reads no chain, e.g. `SHOW TABLES`. */
  asOf: AsOf | null;
}

export async function sql<Row>(
  connection: Connection,
  query: string,
  options?: CallOptions,
): Promise<SqlRows<Row>> {
  const reply = await ask<Row[]>(connection, { path: "/v1/sql", body: { query }, ...options });
  const truncated = reply.headers.get("x-truncated");
  const rowLimit = reply.headers.get("x-row-limit");
  if (truncated === null || rowLimit === null) throw new QuarryError(UNKNOWN_LIMIT);
  return { rows: reply.body, truncated: truncated === "true", rowLimit: Number(rowLimit), asOf: asOf(reply) };
}

/** Rows that are taken for all of them, and are not, may cost their reader money. */
const UNKNOWN_LIMIT =
  "The answer does not say whether it has all rows: X-Truncated or X-Row-Limit is missing. Let proxies pass them.";
