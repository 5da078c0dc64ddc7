interface ErrorDetails {
  /** The HTTP status; null when there was no HTTP answer. */
  status?: number | null;
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  cause?: unknown;
}

/** Why a question got no answer. The message is a sentence for people, in most cases the service's own. */
export class QuarryError extends Error {
  /** The HTTP status; null when there was no HTTP answer. */
  readonly status: number | null;
  /** Names the request in the service's log; to be told when something is reported. */
  readonly requestId: string | null;
  /** When the service wants to be asked again, if it said so. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "QuarryError";
    this.status = details.status ?? null;
    this.requestId = details.requestId ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }
}
