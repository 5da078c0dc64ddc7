import type { Chain } from "../../chains/chain.ts";
import type { Clock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import type { BlockRef } from "../../schema/block.ts";
import type { Source } from "../../sources/source.ts";

/** Tracks the newest block that is final on the source's chain. */
export class FinalityTracker {
  readonly #chain: Chain;
  readonly #source: Pick<Source, "finalized" | "requireUndisputed">;
  readonly #clock: Clock;
  /** The newest final block; null while none is known. Its hash is null if finality is a depth. */
  #newest: { number: number; hash: Hex | null } | null = null;
  /** The head for which the final block was last requested, and the time of that request. */
  #asked: { hash: Hex; atMs: number } | null = null;

  constructor(chain: Chain, source: Pick<Source, "finalized" | "requireUndisputed">, clock: Clock) {
    this.#chain = chain;
    this.#source = source;
    this.#clock = clock;
  }

  /**
   * Returns the number of the newest final block, at most the head's; null if none is known. Requests it for
   * each new head, and at most once per block time for the same head, because the head may be polled more
   * often. If finality is a depth, requests nothing.
   */
  async update(head: BlockRef): Promise<number | null> {
    const { finality } = this.#chain;
    if (finality.kind === "depth") this.#newest = { number: head.number - finality.blocks, hash: null };
    else if (this.#isOutdated(head)) {
      const atMs = this.#clock.monotonic();
      this.#newest = await this.#source.finalized();
      this.#asked = { hash: head.hash, atMs };
    }
    const number = Math.min(this.#newest?.number ?? -1, head.number);
    return number < 0 ? null : number;
  }

  /**
   * Returns the number of the newest final block, at most `tip`; null unless it is above `finalized`. If the
   * source reports the hash of the final block, the block that `blockAt` returns must have it. A tip below
   * the final block must be undisputed.
   *
   * @param blockAt returns the block with a number up to `tip`; null if it is not indexed
   * @throws NotOnFinalChain, and the errors of `Source.requireUndisputed`
   */
  async newlyFinal(
    tip: number,
    finalized: number | null,
    blockAt: (number: number) => Promise<BlockRef | null>,
  ): Promise<number | null> {
    const newest = this.#newest;
    if (newest === null || newest.number <= (finalized ?? -1)) return null;
    const block = await blockAt(Math.min(newest.number, tip));
    if (newest.number > tip) {
      // Nothing links the tip to the final block yet.
      if (block !== null) await this.#source.requireUndisputed(block);
      return tip;
    }
    if (newest.hash === null) return newest.number;
    if (block !== null && block.hash !== newest.hash) throw new NotOnFinalChain(block, newest.hash);
    return block === null ? null : newest.number;
  }

  #isOutdated({ hash }: BlockRef): boolean {
    if (this.#asked?.hash !== hash) return true;
    return this.#clock.monotonic() - this.#asked.atMs >= this.#chain.blockTimeMs;
  }
}

/**
 * The blocks come from an endpoint whose chain does not have the final block, although its head is the
 * highest. Retryable, because the endpoint may be a lagging replica, or the user may remove it.
 */
class NotOnFinalChain extends BaseError {
  constructor({ number, hash }: BlockRef, final: Hex) {
    super(
      "endpoint",
      `Block ${number} was received with hash ${hash}, but the endpoints report ${final} as the final block with this ` +
        "number, so an endpoint is on another chain. Nothing more is stored until that endpoint leaves the other " +
        "chain. If this persists, find out which endpoint it is, and remove its URL.",
      { retryable: true },
    );
  }
}
