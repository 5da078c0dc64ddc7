import type { Hex } from "../../lib/hex.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { EndpointPool } from "../endpoints/endpoint-pool.ts";
import type { RpcOutcome } from "../rpc/json-rpc.ts";

/** The state that calls read, and the endpoints that may be used for it. */
export interface CallState {
  /** Number of the block as a hex quantity, or `latest`. */
  tag: string;
  /** Hash of the block; if absent, any block with this number is accepted. */
  hash?: Hex | undefined;
  /** Newest block that is needed; endpoints that are known to be behind it are used last. */
  block?: number;
  isEligible(endpoint: Endpoint): boolean;
  /** Throws if the endpoint refused a call because it does not have the state. */
  judge(endpoint: Endpoint, outcomes: readonly RpcOutcome[]): void;
}

/**
 * Returns the newest state, which must include `block`. Endpoints that are behind `block` are not used, even
 * while all others are down: in their state, a contract that was created later is an account without code,
 * and the wrong results would be stored. If no endpoint has the block, for example after a reorg, the
 * endpoints with the newest block are used.
 *
 * @param block newest block that the calls need; Infinity for the newest block of any endpoint
 */
export function newestState(pool: EndpointPool, block: number): CallState {
  const isEligible = ({ newest }: Endpoint) => {
    const known = pool.checked().flatMap((endpoint) => endpoint.newest ?? []);
    return known.length === 0 || (newest !== null && newest >= Math.min(block, Math.max(...known)));
  };
  return { tag: "latest", isEligible, judge: () => {} };
}

/**
 * Returns the newest block that the calls need. A call without a block needs the head; if the head is null,
 * the result is Infinity. Does not use Math.max on the list, because a block with many imitations of pools
 * can need more calls than a function can take as arguments.
 */
export function newestNeeded(calls: readonly Pick<ContractCall, "block">[], head: number | null): number {
  const blocks = calls.map(({ block }) => block?.number ?? head ?? Number.POSITIVE_INFINITY);
  return blocks.reduce((newest, block) => Math.max(newest, block), Number.NEGATIVE_INFINITY);
}
