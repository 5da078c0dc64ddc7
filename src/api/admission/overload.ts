import { BaseError } from "../../lib/error.ts";
import { RETRY_AFTER_SECONDS } from "./limits.ts";

/** A client has reached one of its own limits: its next requests would be at the expense of other clients. */
export class ClientOverload extends BaseError {
  constructor(reason: string) {
    super("busy", `Too many requests of this client: ${reason}. ${TRY_AGAIN}`, { retryable: true });
  }
}

/** All places are taken, mostly by other clients. */
export class ServiceOverload extends BaseError {
  constructor(reason: string) {
    super("overloaded", `The service is busy: ${reason}. ${TRY_AGAIN}`, { retryable: true });
  }
}

const TRY_AGAIN = `Send the request again in ${RETRY_AFTER_SECONDS} s.`;
