/** What went wrong, as a stable word; src/api maps each to an HTTP status. */
export type ErrorCode =
  | "bad-input"
  | "bad-config"
  | "unknown-chain"
  | "unsupported"
  | "too-large"
  | "timeout"
  | "memory"
  | "busy"
  | "not-ready"
  | "endpoint"
  | "verification"
  | "reorg-too-deep"
  | "data-directory"
  | "disk-full"
  | "engine"
  | "internal";

interface ErrorDetails {
  cause?: unknown;
  /** True when the same call may succeed later or elsewhere. Retries read this, never the message. */
  retryable?: boolean;
}

/** Every error that Quarry raises on purpose. The message is written for the person who reads it. */
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
