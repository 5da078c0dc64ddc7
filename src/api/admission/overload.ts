import { BaseError } from "../../lib/error.ts";
import type { KeyUsage } from "../keys/key-usage.ts";
import { RETRY_AFTER_SECONDS } from "./limits.ts";

/** A client has reached one of its own limits. Further requests would be at the expense of other clients. */
export class ClientOverload extends BaseError {
  constructor(reason: string) {
    super("busy", `Too many requests from this client: ${reason}. ${TRY_AGAIN}`, { retryable: true });
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
    super("overloaded", `The service is busy: ${reason}. ${TRY_AGAIN}`, { retryable: true });
  }
}

const TRY_AGAIN = `Send the request again in ${RETRY_AFTER_SECONDS} s.`;
