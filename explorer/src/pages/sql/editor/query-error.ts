import { QuarryError } from "@quarry/sdk";

/** An error in a query's text, from `from` (inclusive) to `to` (exclusive), in UTF-16 code units. */
export interface QueryError {
  from: number;
  to: number;
  message: string;
  /** The service's suggested replacement, if any. */
  suggestion: string | null;
}

/** Returns the error with its position in the query; null if the query's text is not the cause. */
export function queryErrorOf(error: Error): QueryError | null {
  if (!(error instanceof QuarryError) || error.sql === null) return null;
  const { offset, length, suggestion } = error.sql;
  return { from: offset, to: offset + length, message: error.message, suggestion };
}
