import { BaseError } from "../../lib/error.ts";
import type { Block } from "../../schema/block.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { EndpointError, reasonOf } from "../endpoints/endpoint-error.ts";
import type { EndpointPool } from "../endpoints/endpoint-pool.ts";
import { requestCheck } from "../endpoints/request-check.ts";
import type { Verification } from "../prover/prove-raw.ts";
import type { Prover } from "../prover/prover.ts";
import type { BlockRange } from "../source.ts";
import { BlockAttempts, type FailedProof, fingerprintOf, UnverifiableBlock } from "./block-attempts.ts";
import {
  type FetchBlocksOptions,
  type FoundBlock,
  fetchBlocks,
  fetchLargeBlock,
  isTooLarge,
} from "./fetch-blocks.ts";

export interface FetchedBlock {
  block: Block;
  /** Approximate size as JSON, in bytes. */
  size: number;
}

/** Fetches blocks from the endpoints that have them, and verifies them unless verification is off. */
export class BlockFetcher {
  readonly #pool: EndpointPool;
  readonly #verification: Verification;
  readonly #prover: Prover;

  constructor(pool: EndpointPool, verification: Verification, prover: Prover) {
    this.#pool = pool;
    this.#verification = verification;
    this.#prover = prover;
  }

  /**
   * Fetches the blocks of a range, in order. Retries transient failures until the signal aborts.
   *
   * @throws UnverifiableBlock if a block is still invalid or missing after all attempts
   */
  async fetch(range: BlockRange, signal: AbortSignal): Promise<FetchedBlock[]> {
    const items = await this.#fetchItems(range, signal);
    return Promise.all(items.map((item) => ("problem" in item ? this.#retryBlock(item, signal) : item)));
  }

  /** Requests a range, in halves if its response seems to be too large for an endpoint. */
  async #fetchItems(range: BlockRange, signal: AbortSignal): Promise<(FetchedBlock | FailedProof)[]> {
    const isCausedByRequest = requestCheck(signal);
    const request = (endpoint: Endpoint) =>
      this.#requestBlocks(endpoint, range, signal).catch(async (error: unknown) => {
        const isOne = range.from === range.to;
        if (!isOne && isTooLarge(error)) throw new RangeTooLarge(error);
        if (!(await isCausedByRequest(error, endpoint))) throw error;
        if (!isOne) throw new RangeTooLarge(error);
        return this.#requestLargeBlock(endpoint, range.from, signal);
      });
    try {
      return await this.#pool.run(request, { signal, block: range.to });
    } catch (error) {
      if (!(error instanceof RangeTooLarge)) throw error;
      const middle = (range.from + range.to) >> 1;
      const halves = [
        { from: range.from, to: middle },
        { from: middle + 1, to: range.to },
      ];
      return (await Promise.all(halves.map((half) => this.#fetchItems(half, signal)))).flat();
    }
  }

  /** Fetches a block again after a failed attempt, until an attempt succeeds or further ones are useless. */
  async #retryBlock(first: FailedProof, signal: AbortSignal): Promise<FetchedBlock> {
    const { limits, clock } = this.#pool;
    const { number } = first;
    const attempts = new BlockAttempts(limits);
    attempts.add(first, clock.monotonic());
    const shouldRetry = (_: number, error: BaseError) =>
      !(error instanceof UnverifiableBlock) ||
      (!attempts.areUsedUp && !(attempts.areMany && this.#unknownEverywhere(number)));
    const request = async (endpoint: Endpoint) => {
      const [item] = await this.#requestBlocks(endpoint, { from: number, to: number }, signal);
      if (item !== undefined && !("problem" in item)) return item;
      const failed = item ?? first;
      attempts.add(failed, clock.monotonic());
      const isUnanimous = attempts.areUnanimous(this.#responding(), clock.monotonic());
      const isMissing = failed.problem.kind === "inconsistent";
      const retryable = isMissing || !(isUnanimous || attempts.areUsedUp);
      throw new UnverifiableBlock(failed, { retryable, isUnanimous });
    };
    return this.#pool.run(request, { signal, block: number, shouldRetry });
  }

  /** Returns the names of the endpoints that serve the chain and respond. */
  #responding(): string[] {
    return this.#pool.checked().flatMap((endpoint) => (endpoint.outage() === null ? [endpoint.name] : []));
  }

  /**
   * Returns true if endpoints are available but none of them has reached the block. In that case, the head
   * that was reported before was wrong.
   */
  #unknownEverywhere(number: number): boolean {
    const available = this.#pool.available();
    return available.length > 0 && available.every(({ newest }) => newest !== null && newest < number);
  }

  async #requestBlocks(
    endpoint: Endpoint,
    range: BlockRange,
    signal: AbortSignal,
  ): Promise<(FetchedBlock | FailedProof)[]> {
    const options = this.#optionsFor(endpoint, signal);
    const found = await fetchBlocks(range, options).catch((error: unknown) => {
      if (range.from < range.to || !isTooLarge(error)) throw error;
      return fetchLargeBlock(range.from, options);
    });
    return this.#verifiedItems(found, endpoint, signal);
  }

  /**
   * Requests a block in parts, because a request for the whole block fails again and again.
   *
   * @throws BlockRefused
   */
  async #requestLargeBlock(
    endpoint: Endpoint,
    number: number,
    signal: AbortSignal,
  ): Promise<(FetchedBlock | FailedProof)[]> {
    const found = await fetchLargeBlock(number, this.#optionsFor(endpoint, signal)).catch(
      (cause: unknown) => {
        throw new BlockRefused(endpoint, number, cause);
      },
    );
    return this.#verifiedItems(found, endpoint, signal);
  }

  #optionsFor(endpoint: Endpoint, signal: AbortSignal): FetchBlocksOptions {
    const { maxLogRange, maxReceiptGas } = this.#pool.limits;
    const [verification, prover] = [this.#verification, this.#prover];
    return { endpoint, signal, maxLogRange, maxReceiptGas, verification, prover };
  }

  async #verifiedItems(
    found: readonly FoundBlock[],
    endpoint: Endpoint,
    signal: AbortSignal,
  ): Promise<(FetchedBlock | FailedProof)[]> {
    const items = await Promise.all(found.map((block) => this.#verified(block, endpoint, signal)));
    if (items.every((item) => !("problem" in item))) endpoint.report({ kind: "ok" });
    return items;
  }

  async #verified(
    found: FoundBlock,
    endpoint: Endpoint,
    signal: AbortSignal,
  ): Promise<FetchedBlock | FailedProof> {
    const { number, size } = found;
    const result =
      "proven" in found ? { block: found.proven } : await this.#prover.raw(found, this.#verification, signal);
    if ("block" in result) {
      endpoint.report({ kind: "block", block: number });
      return { block: result.block, size };
    }
    const problem = result.message;
    if (result.kind !== "inconsistent") endpoint.report({ kind: "invalid", block: number, problem });
    // An endpoint whose own head is lower never claimed to have this block.
    else if (endpoint.newest === null || endpoint.newest >= number)
      endpoint.report({ kind: "missing", block: number, problem });
    const fingerprint = "proven" in found ? "" : fingerprintOf(found);
    return { number, endpoint: endpoint.name, problem: result, fingerprint };
  }
}

/** Not retryable: the halves of the range are requested instead. */
class RangeTooLarge extends BaseError {
  constructor(cause: unknown) {
    super("endpoint", "the response for several blocks is too large", { cause });
  }
}

class BlockRefused extends EndpointError {
  constructor({ name }: Endpoint, block: number, cause: unknown) {
    super(
      name,
      `block ${block}: ${reasonOf(cause)}, although the endpoint responds to other requests`,
      cause,
    );
  }
}
