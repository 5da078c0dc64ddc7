import { BaseError, type ErrorCode } from "./error.ts";

/** An error in the form in which it is sent to another process. */
export interface SentError {
  code: ErrorCode;
  message: string;
  retryable: boolean;
  /** The cause as text, for the log; null if there is none. */
  cause: string | null;
}

export function sentError(error: BaseError): SentError {
  const { code, message, retryable, cause } = error;
  return { code, message, retryable, cause: cause === undefined ? null : String(cause) };
}

/** An error that another process sent. */
export class ReceivedError extends BaseError {
  constructor({ code, message, retryable, cause }: SentError) {
    // The log shows a cause only if it is an error.
    super(code, message, { retryable, cause: cause === null ? undefined : new BaseError(code, cause) });
  }
}
