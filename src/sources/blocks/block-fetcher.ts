import type { Chain } from "../../chains/chain.ts";
import { BaseError } from "../../lib/error.ts";
import type { Block } from "../../schema/block.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { EndpointPool } from "../endpoints/endpoint-pool.ts";
import { RpcFormatError } from "../rpc/field-reader.ts";
import type { BlockRange } from "../source.ts";
import { type Problem, verifyBlock } from "../verify/verify-block.ts";
import { parseBlock, parseReceipts } from "../wire/parse.ts";
import { toBlock } from "./convert.ts";
import { fetchRawBlocks, type RawBlock } from "./raw-blocks.ts";

export interface FetchedBlock {
  block: Block;
  /** Approximate size as JSON. */
  size: number;
}

interface FailedProof {
  number: number;
  endpoint: Endpoint;
  problem: Problem;
}

/**
 * How many attempts a problem costs. A format that this version cannot verify will not change. A missing
 * block may have disappeared with its fork; then the head must be requested again.
 */
const ATTEMPT_COSTS: Record<Problem["kind"], number> = { invalid: 1, inconsistent: 3, unsupported: 10 };

/** Attempts at a block before the fetcher concludes that no endpoint has it. */
const MIN_ATTEMPTS = 3;

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
   * The blocks of a range, in order. Retries transient failures until the signal aborts.
   *
   * @throws UnverifiableBlock when a block is still invalid or missing after all attempts
   */
  async fetch(range: BlockRange, signal: AbortSignal): Promise<FetchedBlock[]> {
    const request = (endpoint: Endpoint) => this.#requestBlocks(endpoint, range, signal);
    const items = await this.#pool.run(request, { signal, block: range.to });
    return Promise.all(items.map((item) => ("problem" in item ? this.#retryBlock(item, signal) : item)));
  }

  /** Requests a block that failed verification again, until it succeeds or the attempts are used up. */
  async #retryBlock(first: FailedProof, signal: AbortSignal): Promise<FetchedBlock> {
    const { maxBlockAttempts } = this.#pool.limits;
    const { number } = first;
    let spent = ATTEMPT_COSTS[first.problem.kind];
    let attempts = 1;
    const shouldRetry = (_: number, error: BaseError) =>
      !(error instanceof UnverifiableBlock) ||
      (spent < maxBlockAttempts && (attempts < MIN_ATTEMPTS || !this.#unknownEverywhere(number)));
    const request = async (endpoint: Endpoint) => {
      const [item] = await this.#requestBlocks(endpoint, { from: number, to: number }, signal);
      if (item !== undefined && !("problem" in item)) return item;
      const failed = item ?? first;
      const { kind } = failed.problem;
      spent += ATTEMPT_COSTS[kind];
      attempts++;
      throw new UnverifiableBlock(failed, kind === "inconsistent" || spent < maxBlockAttempts);
    };
    return this.#pool.run(request, { signal, block: number, shouldRetry });
  }

  /**
   * True if an endpoint is available and no available one has reached the block, so the reported head was
   * wrong.
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
    // An endpoint whose own head is lower has not promised this block.
    else if (endpoint.newest === null || endpoint.newest >= number)
      endpoint.report({ kind: "missing", block: number, problem });
    return { number, endpoint, problem: result };
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

/**
 * No endpoint sent a valid block. The message names the block, the problem, and the last endpoint. Not
 * retryable once the attempts are used up, except for a missing block: the chain may have moved on.
 */
export class UnverifiableBlock extends BaseError {
  constructor({ number, endpoint, problem }: FailedProof, retryable: boolean) {
    super(
      "verification",
      `block ${number} cannot be verified: ${problem.message} (last endpoint: ${endpoint.name})`,
      { retryable },
    );
  }
}
