import type { components } from "../api-types.ts";

/** The position of an error in an SQL query. */
export type SqlMistake = components["schemas"]["SqlMistake"];

/** Error codes of the service. A newer service may have more. */
export type ServiceErrorCode = components["headers"]["X-Error-Code"];

/**
 * The kind of an error: a code of the service, or a code that only a client can have.
 *
 * - `bad-options`: the client or the method was called with an invalid option
 * - `no-answer`: there was no response, or it was cut off
 * - `timeout`: the query took too long (408), or there was no response within `timeoutMs` (no status)
 * - `not-quarry`: the response did not come from Quarry but from a proxy or another server
 * - `chain-changed`: the chain was reorganized, or stored blocks were repaired or pruned, during a long read,
 *   so what was read may be invalid
 */
export type ErrorCode = ServiceErrorCode | "bad-options" | "no-answer" | "not-quarry" | "chain-changed";

interface ErrorDetails {
  /** The HTTP status. Null if there was no HTTP response. */
  status?: number | null;
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  sql?: SqlMistake | null;
  cause?: unknown;
}

/** Says why a request failed. The message is for people. In most cases, it comes from the service. */
export class QuarryError extends Error {
  readonly code: ErrorCode;
  /** The HTTP status. Null if there was no HTTP response. */
  readonly status: number | null;
  /** Identifies the request in the service's log. Include it in bug reports. */
  readonly requestId: string | null;
  /** The wait that the service requests before a retry. Null if it requests none. */
  readonly retryAfterSeconds: number | null;
  /** The position of the error if the SQL is invalid, or null. */
  readonly sql: SqlMistake | null;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "QuarryError";
    this.code = code;
    this.status = details.status ?? null;
    this.requestId = details.requestId ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.sql = details.sql ?? null;
  }
}
