import { BaseError } from "../../lib/error.ts";
import type { BlockRef } from "../../schema/block.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { EndpointPool, EndpointResult } from "../endpoints/endpoint-pool.ts";
import { requestBlock } from "./header-requests.ts";

type Found = EndpointResult<BlockRef>;

/**
 * Checks a block that counts as final: no responding endpoint may have another block in its place. Otherwise
 * an endpoint on its own fork could get all its blocks stored, because each block proves only itself.
 *
 * If most endpoints have the block, it counts, and the others are reported as invalid. If fewer endpoints
 * have it than have another block, the endpoints that have it are reported.
 *
 * @param isTrusted returns false for endpoints whose block does not count
 * @throws DisputedBlock
 */
export async function requireUndisputed(
  block: BlockRef,
  pool: EndpointPool,
  isTrusted: (endpoint: Endpoint) => boolean,
): Promise<void> {
  if (pool.checked().length < 2) return;
  const results = await pool.requestAll((endpoint, signal) => requestBlock(endpoint, block.number, signal));
  const found = results.flatMap(({ endpoint, result }) =>
    result === null || !isTrusted(endpoint) ? [] : [{ endpoint, result }],
  );
  const [same, other] = [found.filter(({ result }) => result.hash === block.hash), othersOf(found, block)];
  if (other.length === 0) return;
  if (same.length !== other.length) reportMinority(block, same, other);
  if (same.length <= other.length) throw new DisputedBlock(block, other);
}

function othersOf(found: readonly Found[], { hash }: BlockRef): Found[] {
  return found.filter(({ result }) => result.hash !== hash);
}

function reportMinority({ number }: BlockRef, same: readonly Found[], other: readonly Found[]): void {
  const [minority, [majority]] = same.length < other.length ? [same, other] : [other, same];
  for (const { endpoint, result } of minority) {
    const problem = `its hash is ${result.hash}, but most endpoints have ${majority?.result.hash}`;
    endpoint.report({ kind: "invalid", block: number, problem });
  }
}

/** Retryable, because one of the endpoints may leave its fork, or be removed. */
class DisputedBlock extends BaseError {
  constructor({ number, hash }: BlockRef, other: readonly Found[]) {
    const others = other.map(({ endpoint, result }) => `${endpoint.name} has ${result.hash}`).join("; ");
    super(
      "endpoint",
      `The endpoints disagree about block ${number}, although it is final: it was received with hash ${hash}, but ` +
        `${others}. Nothing more is stored until they agree. Find out which of them is on another chain, and ` +
        "remove its URL.",
      { retryable: true },
    );
  }
}
