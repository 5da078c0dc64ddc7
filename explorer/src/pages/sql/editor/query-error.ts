import { QuarryError } from "@quarry/sdk";

/** Where a query is wrong, in UTF-16 units from its start; `to` is behind the last. */
export interface QueryError {
  from: number;
  to: number;
  sentence: string;
  /** What to write there instead, where the service knows. */
  suggestion: string | null;
}

/** Where the service says that a query is wrong; null where it is not the text that is. */
export function queryErrorOf(error: Error): QueryError | null {
  if (!(error instanceof QuarryError) || error.sql === null) return null;
  const { offset, length, suggestion } = error.sql;
  return { from: offset, to: offset + length, sentence: error.message, suggestion };
}
