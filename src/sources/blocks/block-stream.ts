import { setMaxListeners } from "node:events";
import { onAbort } from "../../lib/async/abort.ts";
import type { Clock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { Block } from "../../schema/block.ts";
import type { RpcLimits } from "../rpc/limits.ts";
import type { BlockRange } from "../source.ts";
import { verifyLink } from "../verify/verify-block.ts";
import type { BlockFetcher, FetchedBlock } from "./block-fetcher.ts";

/** Assumed size of a block until the first one arrives. It is large to keep the first requests small. */
const INITIAL_BLOCK_BYTES = 1_000_000;

/** Weight of the newest span in the moving average of block sizes. */
const SIZE_WEIGHT = 0.2;

interface Span {
  blocks: number;
  bytes: number;
  fetched: Promise<FetchedBlock[]>;
}

interface StreamOptions {
  limits: RpcLimits;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Yields blocks in order, each the child of the previous one. Fetches them ahead of the consumer, within the
 * limits.
 *
 * @throws ReorgDuringRead if a block still does not link to the previous one after all attempts
 */
export async function* streamBlocks(
  fetcher: BlockFetcher,
  range: BlockRange,
  options: StreamOptions,
): AsyncGenerator<Block> {
  const stop = new AbortController();
  const { signal } = stop;
  // Each request and each wait of the stream adds a listener, and removes it when done.
  setMaxListeners(0, signal);
  const removeListener = onAbort(options.signal, () => stop.abort(options.signal.reason));
  try {
    const ahead = new ReadAhead(fetcher, range, options.limits, signal);
    let parent: Block | undefined;
    for (let span = await ahead.next(); span !== undefined; span = await ahead.next()) {
      for (const { block } of span) {
        parent = await linked(fetcher, parent, block, { ...options, signal });
        yield parent;
        signal.throwIfAborted();
      }
    }
  } finally {
    removeListener();
    stop.abort();
  }
}

/**
 * Keeps as many spans of blocks in progress as the limits allow. The size of the blocks so far determines the
 * length of a span.
 */
class ReadAhead {
  readonly #fetcher: BlockFetcher;
  readonly #limits: RpcLimits;
  readonly #signal: AbortSignal;
  readonly #to: number;
  readonly #spans: Span[] = [];
  #from: number;
  #blockBytes = INITIAL_BLOCK_BYTES;

  constructor(fetcher: BlockFetcher, range: BlockRange, limits: RpcLimits, signal: AbortSignal) {
    this.#fetcher = fetcher;
    this.#limits = limits;
    this.#signal = signal;
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
    const max = Math.min(maxBlocksPerRequest, maxBatchCalls >> 1, this.#to - this.#from + 1);
    const blocks = Math.max(1, Math.min(fitting, max));
    const from = this.#from;
    this.#from += blocks;
    const fetched = this.#fetcher.fetch({ from, to: from + blocks - 1 }, this.#signal);
    const span: Span = { blocks, bytes: blocks * this.#blockBytes, fetched };
    this.#spans.push(span);
    fetched.then(
      (items) => this.#measure(span, items),
      // The consumer receives the error when it reaches the span.
      () => {},
    );
  }

  #measure(span: Span, items: FetchedBlock[]): void {
    span.bytes = items.reduce((sum, item) => sum + item.size, 0);
    this.#blockBytes += (span.bytes / span.blocks - this.#blockBytes) * SIZE_WEIGHT;
  }
}

/**
 * Returns the block if it links to its parent. Otherwise fetches it again, up to the limit of attempts,
 * because a lagging endpoint may have sent a block from another fork.
 */
async function linked(
  fetcher: BlockFetcher,
  parent: Block | undefined,
  block: Block,
  { limits, clock, signal }: StreamOptions,
): Promise<Block> {
  let child = block;
  for (let attempt = 1; parent !== undefined; attempt++) {
    const problem = verifyLink(parent, child);
    if (problem === null) break;
    if (attempt > limits.maxLinkAttempts) throw new ReorgDuringRead(child.number, problem.message);
    await clock.sleep(limits.minRetryDelayMs * attempt, signal);
    const [again] = await fetcher.fetch({ from: block.number, to: block.number }, signal);
    child = again?.block ?? child;
  }
  return child;
}

/** A reorg happened while a range was read. Earlier blocks of the range may be on the abandoned fork. */
export class ReorgDuringRead extends BaseError {
  constructor(number: number, problem: string) {
    super("verification", `block ${number} does not link to its parent: ${problem}; there was a reorg`, {
      retryable: true,
    });
  }
}
