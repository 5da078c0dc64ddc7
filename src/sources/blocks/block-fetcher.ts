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
  /** Size as JSON, about. */
  size: number;
}

interface Unproven {
  number: number;
  endpoint: Endpoint;
  problem: Problem;
}

/**
 * How many failures a problem counts as. A format that this version cannot check will not be another one
 * tomorrow. A block that is not there may be gone with its fork: the head has to be looked at anew.
 */
const WEIGHTS: Record<Problem["kind"], number> = { false: 1, torn: 3, unknown: 10 };

/** Attempts at a block after which it is looked who has it at all. */
const ATTEMPTS_AT_LEAST = 3;

/** Fetches blocks from whichever endpoint has them, and lets none through that is not proven. */
export class BlockFetcher {
  readonly #pool: EndpointPool;
  readonly #chain: Chain;
  readonly #verify: boolean;

  constructor(pool: EndpointPool, options: { chain: Chain; verify: boolean }) {
    this.#pool = pool;
    this.#chain = options.chain;
    this.#verify = options.verify;
  }

  /**
   * The blocks of a range, in order. Transient failures are waited out for as long as the signal stands.
   *
   * @throws UnprovableBlock when a block stays unproven or absent after all attempts
   */
  async fetch(range: BlockRange, signal: AbortSignal): Promise<FetchedBlock[]> {
    const found = await this.#attempt(range, signal);
    return Promise.all(found.map((item) => ("problem" in item ? this.#insist(item, signal) : item)));
  }

  /** Goes on with a block that was not proven at first, until it is. */
  async #insist(first: Unproven, signal: AbortSignal): Promise<FetchedBlock> {
    const most = this.#pool.limits.maxBlockAttempts;
    let spent = WEIGHTS[first.problem.kind];
    let attempts = 1;
    const { number } = first;
    const goesOn = (_: number, error: BaseError) =>
      !(error instanceof UnprovableBlock) ||
      (spent < most && (attempts < ATTEMPTS_AT_LEAST || !this.#isUnheardOf(number)));
    return this.#pool.run(
      async (endpoint) => {
        const [item] = await this.#ask(endpoint, { from: number, to: number }, signal);
        if (item !== undefined && !("problem" in item)) return item;
        const unproven = item ?? first;
        const { kind } = unproven.problem;
        spent += WEIGHTS[kind];
        attempts++;
        throw new UnprovableBlock(unproven, kind === "torn" || spent < most);
      },
      { signal, block: number, goesOn },
    );
  }

  /** Some endpoint is to be believed, and none such has shown the block: whoever showed it was wrong. */
  #isUnheardOf(number: number): boolean {
    const believed = this.#pool.inGoodStanding();
    return believed.length > 0 && believed.every(({ newest }) => newest !== null && newest < number);
  }

  async #attempt(range: BlockRange, signal: AbortSignal): Promise<(FetchedBlock | Unproven)[]> {
    return this.#pool.run((endpoint) => this.#ask(endpoint, range, signal), { signal, block: range.to });
  }

  async #ask(
    endpoint: Endpoint,
    range: BlockRange,
    signal: AbortSignal,
  ): Promise<(FetchedBlock | Unproven)[]> {
    const question = { endpoint, signal, limits: this.#pool.limits, needsReceipts: this.#verify };
    const raw = await fetchRawBlocks(range, question);
    const items = raw.map((item) => this.#prove(item, endpoint));
    if (items.every((item) => !("problem" in item))) endpoint.praise();
    return items;
  }

  #prove(raw: RawBlock, endpoint: Endpoint): FetchedBlock | Unproven {
    const result = this.#check(raw);
    if ("block" in result) {
      endpoint.showed(raw.number);
      return { block: result.block, size: raw.size };
    }
    if (result.kind !== "torn") this.#pool.blame(endpoint, raw.number, result.message);
    // One that lags behind the others promised nothing.
    else if (endpoint.newest === null || endpoint.newest >= raw.number)
      this.#pool.miss(endpoint, raw.number, result.message);
    return { number: raw.number, endpoint, problem: result };
  }

  #check(raw: RawBlock): { block: Block } | Problem {
    if (raw.block === null) return { kind: "torn", message: "the endpoint has no such block yet" };
    if (raw.receipts === null && hasTransactions(raw.block))
      return { kind: "torn", message: "the endpoint has no receipts of it yet" };
    try {
      const block = parseBlock(raw.block, raw.number);
      const receipts = parseReceipts(raw.receipts ?? [], raw.number);
      const problem = this.#verify ? verifyBlock(block, receipts, this.#chain.chainId) : null;
      return problem ?? { block: toBlock(block, receipts, this.#verify ? "proven" : "given") };
    } catch (error) {
      if (!(error instanceof RpcFormatError)) throw error;
      return { kind: "false", message: error.message };
    }
  }
}

/** Some nodes have no receipts of a block without transactions, as the first one. */
function hasTransactions(block: unknown): boolean {
  const { transactions } = block as { transactions?: unknown };
  return !Array.isArray(transactions) || transactions.length > 0;
}

/**
 * No endpoint gave a block that holds. The message names the block, what failed, and who sent it last. Not
 * retryable once the attempts are spent, but for a block that is not there: the chain may have moved on.
 */
export class UnprovableBlock extends BaseError {
  constructor({ number, endpoint, problem }: Unproven, retryable: boolean) {
    super(
      "verification",
      `block ${number} cannot be proven: ${problem.message} (last asked: ${endpoint.name})`,
      { retryable },
    );
  }
}
