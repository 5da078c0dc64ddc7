import { setMaxListeners } from "node:events";
import { BaseError } from "../../lib/error.ts";
import type { Block } from "../../schema/block.ts";
import type { RpcLimits } from "../rpc/limits.ts";
import { sleepUnlessAborted } from "../rpc/retry.ts";
import type { BlockRange } from "../source.ts";
import { verifyLink } from "../verify/verify-block.ts";
import type { BlockFetcher, FetchedBlock } from "./block-fetcher.ts";

/** Size assumed of blocks before the first is seen: large, so that small requests find out. */
const FIRST_GUESS_BYTES = 1_000_000;

/** Weight of the newest span in the moving average of block sizes. */
const SIZE_WEIGHT = 0.2;

interface Span {
  blocks: number;
  bytes: number;
  fetched: Promise<FetchedBlock[]>;
}

/**
 * Blocks in order, each the child of the one before, fetched ahead of the consumer within the limits.
 *
 * @throws ReorgDuringRead when a block does not link to the one before, however often it is fetched
 */
export async function* streamBlocks(
  fetcher: BlockFetcher,
  range: BlockRange,
  options: { limits: RpcLimits; signal: AbortSignal },
): AsyncGenerator<Block> {
  const stop = new AbortController();
  // Every request and every wait of the stream listens to it; none stays longer than it lasts.
  setMaxListeners(0, stop.signal);
  const abort = (): void => stop.abort(options.signal.reason);
  options.signal.addEventListener("abort", abort, { once: true });
  if (options.signal.aborted) abort();
  try {
    const ahead = new ReadAhead(fetcher, range, { limits: options.limits, signal: stop.signal });
    let parent: Block | undefined;
    for (let span = await ahead.next(); span !== undefined; span = await ahead.next()) {
      for (const { block } of span) {
        parent = await linked(parent, block, { fetcher, limits: options.limits, signal: stop.signal });
        yield parent;
        stop.signal.throwIfAborted();
      }
    }
  } finally {
    options.signal.removeEventListener("abort", abort);
    stop.abort();
  }
}

/** Spans of blocks under way, as many as the limits allow, sized after the blocks seen so far. */
class ReadAhead {
  readonly #fetcher: BlockFetcher;
  readonly #limits: RpcLimits;
  readonly #signal: AbortSignal;
  readonly #to: number;
  readonly #spans: Span[] = [];
  #from: number;
  #blockBytes = FIRST_GUESS_BYTES;

  constructor(fetcher: BlockFetcher, range: BlockRange, options: { limits: RpcLimits; signal: AbortSignal }) {
    this.#fetcher = fetcher;
    this.#limits = options.limits;
    this.#signal = options.signal;
    this.#from = range.from;
    this.#to = range.to;
  }

  async next(): Promise<FetchedBlock[] | undefined> {
    this.#fill();
    const fetched = await this.#spans[0]?.fetched;
    this.#spans.shift();
    this.#fill();
    return fetched;
  }

  #fill(): void {
    while (this.#from <= this.#to && this.#hasRoom()) this.#start();
  }

  #hasRoom(): boolean {
    const blocks = this.#spans.reduce((sum, span) => sum + span.blocks, 0);
    const bytes = this.#spans.reduce((sum, span) => sum + span.bytes, 0);
    return blocks < this.#limits.maxBlocksAhead && bytes < this.#limits.maxBytesAhead;
  }

  #start(): void {
    const { maxBlocksPerRequest, maxBatchCalls, targetResponseBytes } = this.#limits;
    const fitting = Math.floor(targetResponseBytes / this.#blockBytes);
    // A block takes two calls.
    const most = Math.min(maxBlocksPerRequest, maxBatchCalls >> 1, this.#to - this.#from + 1);
    const blocks = Math.max(1, Math.min(fitting, most));
    const from = this.#from;
    this.#from += blocks;
    const fetched = this.#fetcher.fetch({ from, to: from + blocks - 1 }, this.#signal);
    const span: Span = { blocks, bytes: blocks * this.#blockBytes, fetched };
    this.#spans.push(span);
    fetched.then(
      (items) => this.#measure(span, items),
      // The consumer sees the error when it gets there; until then nobody listens.
      () => {},
    );
  }

  #measure(span: Span, items: FetchedBlock[]): void {
    span.bytes = items.reduce((sum, item) => sum + item.size, 0);
    this.#blockBytes += (span.bytes / span.blocks - this.#blockBytes) * SIZE_WEIGHT;
  }
}

/** The block, fetched anew while it does not link to its parent: it may have come from an endpoint behind. */
async function linked(
  parent: Block | undefined,
  block: Block,
  options: { fetcher: BlockFetcher; limits: RpcLimits; signal: AbortSignal },
): Promise<Block> {
  let child = block;
  for (let attempt = 1; parent !== undefined; attempt++) {
    const problem = verifyLink(parent, child);
    if (problem === null) break;
    if (attempt > options.limits.maxLinkAttempts) throw new ReorgDuringRead(child.number, problem.message);
    await sleepUnlessAborted(options.limits.minRetryDelayMs * attempt, options.signal);
    const [again] = await options.fetcher.fetch({ from: block.number, to: block.number }, options.signal);
    child = again?.block ?? child;
  }
  return child;
}

/** The chain was reorganised while a range was read; what was read before may be of the fork that lost. */
export class ReorgDuringRead extends BaseError {
  constructor(number: number, problem: string) {
    super(
      "verification",
      `block ${number} does not follow the one before: ${problem}; the chain was reorganised`,
      {
        retryable: true,
      },
    );
  }
}
