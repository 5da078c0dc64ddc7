import type { SentError } from "../../lib/sent-error.ts";
import type { QueryWork, StatementUser } from "../store.ts";

/**
 * Operations of the protocol. Each statement is one HTTP request on a local socket, with the SQL as its body.
 * The body of an `insert` is its rows, so its SQL is in the header.
 */
export type Operation = "read" | "open" | "stream" | "execute" | "insert" | "kill";

/** JSON of `SentStatement`. */
export const STATEMENT_HEADER = "quarry-statement";

/**
 * JSON of `Outcome`: sent as a header if the outcome is known before the first byte, otherwise as a trailer.
 */
export const OUTCOME_HEADER = "quarry-outcome";

export interface SentStatement {
  id: string;
  settings: Record<string, number | string>;
  format: string;
  user?: StatementUser;
  /** The SQL of an insert. */
  target?: string;
}

export type Outcome = { work: QueryWork | null } | { error: SentError };

/** Prints JSON whose characters are all allowed in a header. */
export function headerText(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
