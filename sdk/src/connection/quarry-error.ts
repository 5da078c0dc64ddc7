import type { components } from "../api-types.ts";

/** Where an SQL text is wrong. */
export type SqlMistake = components["schemas"]["SqlMistake"];

/** What the service calls the kinds of its errors; a newer one may know more. */
export type ServiceErrorCode = components["headers"]["X-Error-Code"];

/**
 * What kind of error it is: the service's own word, or what only a client can see.
 *
 * - `bad-options`: the client or the method was called with what cannot be meant
 * - `no-answer`: nobody answered, or the answer broke off
 * - `timeout`: the query took too long (408), or nothing came within `timeoutMs` (no status)
 * - `not-quarry`: what answered was no Quarry service: a proxy, another server
 * - `chain-changed`: the chain was reorganized while a long answer was read; what was read of it may not hold
 */
export type ErrorCode = ServiceErrorCode | "bad-options" | "no-answer" | "not-quarry" | "chain-changed";

interface ErrorDetails {
  /** The HTTP status; null when there was no HTTP answer. */
  status?: number | null;
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  sql?: SqlMistake | null;
  cause?: unknown;
}

/** Why a question got no answer. The message is a sentence for people, in most cases the service's own. */
export class QuarryError extends Error {
  readonly code: ErrorCode;
  /** The HTTP status; null when there was no HTTP answer. */
  readonly status: number | null;
  /** Names the request in the service's log; to be told when something is reported. */
  readonly requestId: string | null;
  /** When the service wants to be asked again, if it said so. */
  readonly retryAfterSeconds: number | null;
  /** Where the SQL is wrong, if that is what is wrong. */
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
