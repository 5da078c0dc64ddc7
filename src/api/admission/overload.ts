import { BaseError } from "../../lib/error.ts";
import type { KeyUsage } from "../keys/key-usage.ts";
import { RETRY_AFTER_SECONDS } from "./limits.ts";

/** A client has reached one of its own limits. Further requests would be at the expense of other clients. */
export class ClientOverload extends BaseError {
  readonly retryAfterSeconds: number;

  /** @param retryAfterSeconds time until the limit admits a request, where it is known */
  constructor(reason: string, retryAfterSeconds = RETRY_AFTER_SECONDS) {
    super("busy", `Too many requests from this client: ${reason}. ${tryAgainIn(retryAfterSeconds)}`, {
      retryable: true,
    });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A key has used up its requests for the month. */
export class QuotaUsed extends BaseError {
  /** Seconds until the next month. */
  readonly retryAfterSeconds: number;

  constructor(
    quota: number,
    { month, resetsAt, secondsLeft }: Pick<KeyUsage, "month" | "resetsAt" | "secondsLeft">,
  ) {
    const next = new Date(resetsAt * 1000).toISOString().slice(0, 10);
    super(
      "quota",
      `The API key has reached its limit of ${quota} requests for ${month}. It may send more from ${next} 00:00 UTC; /v1/check-usage shows its usage.`,
    );
    this.retryAfterSeconds = secondsLeft;
  }
}

/** The whole service has reached a limit, mostly because of other clients. */
export class ServiceOverload extends BaseError {
  constructor(reason: string) {
    super("overloaded", `The service is busy: ${reason}. ${tryAgainIn(RETRY_AFTER_SECONDS)}`, {
      retryable: true,
    });
  }
}

function tryAgainIn(seconds: number): string {
  return `Send the request again in ${seconds} s.`;
}
