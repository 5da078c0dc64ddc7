import type { ClickHouseClient } from "@clickhouse/client";
import type { Sql } from "../../../engine-sql/sql-text.ts";
import { EngineUnreachable, engineCode } from "../engine-failure.ts";

/**
 * Waits for a response from the server. A plain error, without a code and with arbitrary text, means that a
 * proxy responded instead or that the request took too long. The server then counts as unreachable.
 */
export async function answered<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    throw isPlain(error) ? new EngineUnreachable(error) : error;
  }
}

export function isPlain(error: unknown): boolean {
  const isOfClient = error instanceof Error && error.constructor === Error && !("code" in error);
  return isOfClient && engineCode(error) === undefined;
}

/** Time limit for a query that a server answers at once, if it responds. */
export const RESPONSE_MS = 10_000;

/** Runs a query with a small answer, and returns its rows. */
export async function rowsOf<R>(client: ClickHouseClient, query: Sql, signal?: AbortSignal): Promise<R[]> {
  const limit = signal === undefined ? {} : { abort_signal: signal };
  const answer = await answered(client.query({ query, format: "JSONEachRow", ...limit }));
  return answer.json<R>();
}
