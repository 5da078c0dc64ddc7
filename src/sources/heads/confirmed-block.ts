import { BaseError } from "../../lib/error.ts";
import type { BlockRef } from "../../schema/block.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { EndpointPool } from "../endpoints/endpoint-pool.ts";
import { requestBlock } from "./header-requests.ts";

/**
 * Returns whether any endpoint has the block, which the caller knows from the store or from a file. If one
 * has it, two sources agree, so endpoints with another block in its place are reported as invalid.
 *
 * @throws NotConfirmed if none has it, but one of them does not respond
 */
export async function isConfirmed({ number, hash }: BlockRef, pool: EndpointPool): Promise<boolean> {
  const { results, silent } = await pool.requestEach((endpoint, signal) =>
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
  if (silent.length > 0) throw new NotConfirmed({ number, hash }, silent);
  return false;
}

/**
 * No endpoint has the block, but one that does not respond may be the only honest one, so nothing is decided.
 */
class NotConfirmed extends BaseError {
  constructor({ number, hash }: BlockRef, silent: readonly Endpoint[]) {
    const names = silent.map(({ name }) => name).join(", ");
    super(
      "endpoint",
      `No endpoint has the known block ${number}, ${hash}, and there is no response from ${names}. If it is gone ` +
        "for good, remove its URL.",
      { retryable: true },
    );
  }
}
