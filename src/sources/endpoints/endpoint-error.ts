import { BaseError, messageOf } from "../../lib/error.ts";

/** A request to an endpoint failed. The message names the endpoint and the reason. */
export class EndpointError extends BaseError {
  readonly endpoint: string;
  /** The message without the endpoint's name. */
  readonly reason: string;

  constructor(endpoint: string, reason: string, cause?: unknown) {
    super("endpoint", `${endpoint}: ${reason}`, { retryable: true, cause });
    this.endpoint = endpoint;
    this.reason = reason;
  }
}

/** The endpoint can never be used, so the pool excludes it for good. */
export abstract class UnsuitableEndpoint extends BaseError {}

/** Returns the message of any error, without the endpoint's name. */
export function reasonOf(error: unknown): string {
  return error instanceof EndpointError ? error.reason : messageOf(error);
}
