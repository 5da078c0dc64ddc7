/** Stable codes of errors; src/api maps each to an HTTP status. */
export type ErrorCode =
  | "bad-input"
  | "bad-config"
  | "unknown-chain"
  | "unsupported"
  | "too-large"
  | "timeout"
  | "memory"
  | "busy"
  | "quota"
  | "overloaded"
  | "not-ready"
  | "unavailable"
  | "stale"
  | "endpoint"
  | "verification"
  | "reorg-too-deep"
  | "data-directory"
  | "disk-full"
  | "engine"
  | "internal";

interface ErrorDetails {
  cause?: unknown;
  /** True if the same call may succeed later or elsewhere. Retries depend on this, never on the message. */
  retryable?: boolean;
}

/** Base of all errors that Quarry throws deliberately. Messages are written for users. */
export class BaseError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = details.retryable ?? false;
  }
}

/** Returns the message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
