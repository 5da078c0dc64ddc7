import type { Endpoint } from "../endpoints/endpoint.ts";
import type { RpcOutcome } from "../rpc/json-rpc.ts";

/** The state that calls read, and which endpoints are asked for it. */
export interface CallState {
  tag: string;
  /** Newest block that is needed; endpoints that are known to be behind it are used last. */
  block?: number;
  isEligible(endpoint: Endpoint): boolean;
  /** Throws if the endpoint refused a call because it does not have the state. */
  judge(endpoint: Endpoint, outcomes: readonly RpcOutcome[]): void;
}
