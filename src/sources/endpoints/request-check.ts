import { RateLimited } from "../rpc/http-client.ts";
import { CHAIN_ID_CALL } from "./chain-id.ts";
import type { Endpoint } from "./endpoint.ts";
import { EndpointError } from "./endpoint-error.ts";

/**
 * Number of failures of a request after which the request itself may be the reason. Fewer failures are normal
 * when a node restarts.
 */
const FAILURES_BEFORE_CHECK = 3;

/**
 * Returns a function that must be called with each failure of a request. It returns true if the request has
 * failed several times, and the endpoint responds to a small request right after the failure. Some endpoints
 * and proxies close the connection, or respond with an error, if a response is too large or takes too long.
 */
export function requestCheck(signal: AbortSignal): (error: unknown, by: Endpoint) => Promise<boolean> {
  let failures = 0;
  return async (error, endpoint) => {
    failures++;
    if (failures < FAILURES_BEFORE_CHECK || !isFailure(error)) return false;
    return endpoint.send([CHAIN_ID_CALL], signal).then(
      ({ outcomes }) => outcomes.every((outcome) => "result" in outcome),
      () => false,
    );
  };
}

function isFailure(error: unknown): boolean {
  return error instanceof EndpointError && !(error.cause instanceof RateLimited);
}
