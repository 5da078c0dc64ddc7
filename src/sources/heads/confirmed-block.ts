import { BaseError } from "../../lib/error.ts";
import type { BlockRef } from "../../schema/block.ts";
import type { EndpointFailure, EndpointPool } from "../endpoints/endpoint-pool.ts";
import { requestBlock } from "./header-requests.ts";

/**
 * Returns whether any endpoint has the block, which the caller knows from the store or from a file. If one
 * has it, two sources agree, so endpoints with another block in its place are reported as invalid.
 *
 * @throws NotConfirmed if no endpoint returned the block, and at least one returned no result
 */
export async function isConfirmed({ number, hash }: BlockRef, pool: EndpointPool): Promise<boolean> {
  const { results, failures } = await pool.requestEach((endpoint, signal) =>
    requestBlock(endpoint, number, signal),
  );
  if (results.some(({ result }) => result?.hash === hash)) {
    for (const { endpoint, result } of results) {
      if (result === null || result.hash === hash) continue;
      const problem = `its hash is ${result.hash}, but another endpoint has the known block, ${hash}`;
      endpoint.report({ kind: "invalid", block: number, problem });
    }
    return true;
  }
  if (failures.length > 0) throw new NotConfirmed({ number, hash }, failures);
  return false;
}

/**
 * No endpoint returned the block, but an endpoint that returned no result may be the only honest one, so
 * nothing is decided.
 */
class NotConfirmed extends BaseError {
  constructor({ number, hash }: BlockRef, failures: readonly EndpointFailure[]) {
    const reasons = failures.map(({ endpoint, reason }) => `${endpoint.name}: ${reason}`).join("; ");
    super(
      "endpoint",
      `No endpoint has the known block ${number}, ${hash}, but not all returned a result (${reasons}). ` +
        "If an endpoint is gone for good, remove its URL.",
      { retryable: true },
    );
  }
}
