import type { Chain } from "../../chains/chain.ts";
import type { BaseError } from "../../lib/error.ts";
import type { Block } from "../../schema/block.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { EndpointPool } from "../endpoints/endpoint-pool.ts";
import { RpcFormatError } from "../rpc/field-reader.ts";
import type { BlockRange } from "../source.ts";
import { type Problem, verifyBlock } from "../verify/verify-block.ts";
import { parseBlock, parseReceipts } from "../wire/parse.ts";
import { BlockAttempts, type FailedProof, fingerprintOf, UnverifiableBlock } from "./block-attempts.ts";
import { toBlock } from "./convert.ts";
import { fetchRawBlocks, type RawBlock } from "./raw-blocks.ts";

export interface FetchedBlock {
  block: Block;
  /** Approximate size as JSON. */
  size: number;
}

/** Fetches blocks from the endpoints that have them, and returns only verified ones. */
export class BlockFetcher {
  readonly #pool: EndpointPool;
  readonly #chain: Chain;
  readonly #verify: boolean;

  constructor(pool: EndpointPool, chain: Chain, verify: boolean) {
    this.#pool = pool;
    this.#chain = chain;
    this.#verify = verify;
  }

  /**
   * Fetches the blocks of a range, in order. Retries transient failures until the signal aborts.
   *
   * @throws UnverifiableBlock if a block is still invalid or missing after all attempts
   */
  async fetch(range: BlockRange, signal: AbortSignal): Promise<FetchedBlock[]> {
    const request = (endpoint: Endpoint) => this.#requestBlocks(endpoint, range, signal);
    const items = await this.#pool.run(request, { signal, block: range.to });
    return Promise.all(items.map((item) => ("problem" in item ? this.#retryBlock(item, signal) : item)));
  }

  /** Retries a block that failed verification until it succeeds or further attempts are useless. */
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
   * Returns true if endpoints are available but none of them has reached the block. In that case, the
   * reported head was wrong.
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
    const { maxLogRange } = this.#pool.limits;
    const options = { endpoint, signal, maxLogRange, needsReceipts: this.#verify };
    const items = (await fetchRawBlocks(range, options)).map((raw) => this.#verifyRaw(raw, endpoint));
    if (items.every((item) => !("problem" in item))) endpoint.report({ kind: "ok" });
    return items;
  }

  #verifyRaw(raw: RawBlock, endpoint: Endpoint): FetchedBlock | FailedProof {
    const { number, size } = raw;
    const result = this.#toBlock(raw);
    if ("block" in result) {
      endpoint.report({ kind: "block", block: number });
      return { block: result.block, size };
    }
    const problem = result.message;
    if (result.kind !== "inconsistent") endpoint.report({ kind: "invalid", block: number, problem });
    // An endpoint whose own head is lower never claimed to have this block.
    else if (endpoint.newest === null || endpoint.newest >= number)
      endpoint.report({ kind: "missing", block: number, problem });
    return { number, endpoint: endpoint.name, problem: result, fingerprint: fingerprintOf(raw) };
  }

  #toBlock(raw: RawBlock): { block: Block } | Problem {
    if (raw.block === null)
      return { kind: "inconsistent", message: "the endpoint does not have this block yet" };
    if (raw.receipts === null && hasTransactions(raw.block))
      return { kind: "inconsistent", message: "the endpoint does not have its receipts yet" };
    try {
      const block = parseBlock(raw.block, raw.number);
      const receipts = parseReceipts(raw.receipts ?? [], raw.number);
      const problem = this.#verify ? verifyBlock(block, receipts, this.#chain.chainId) : null;
      return problem ?? { block: toBlock(block, receipts, this.#verify ? "proven" : "given") };
    } catch (error) {
      if (!(error instanceof RpcFormatError)) throw error;
      return { kind: "invalid", message: error.message };
    }
  }
}

/** Some nodes return no receipts for blocks without transactions, such as the first block. */
function hasTransactions(block: unknown): boolean {
  const { transactions } = block as { transactions?: unknown };
  return !Array.isArray(transactions) || transactions.length > 0;
}
