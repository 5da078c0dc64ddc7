import type { Chain } from "../../chains/chain.ts";
import type { Clock } from "../../lib/async/clock.ts";
import type { Hex } from "../../lib/hex.ts";
import type { BlockRef } from "../../schema/block.ts";
import type { Source } from "../../sources/source.ts";

/** The newest block that is final on the source's chain. */
export class FinalityTracker {
  readonly #chain: Chain;
  readonly #source: Pick<Source, "finalized">;
  readonly #clock: Clock;
  /** The hash is null if finality is a depth. Null while no final block is known. */
  #newest: { number: number; hash: Hex | null } | null = null;
  /** The head for which the source was asked last, and when. */
  #asked: { hash: Hex; atMs: number } | null = null;

  constructor(chain: Chain, source: Pick<Source, "finalized">, clock: Clock) {
    this.#chain = chain;
    this.#source = source;
    this.#clock = clock;
  }

  /**
   * Reads the newest final block: again for each head, and for the same head once per block time, since a
   * head that is due is polled quickly. Returns its number, at most the head's; null if none is known.
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
   * Returns the newest final block up to `tip`; null unless it is above `finalized`. If the source reports
   * the final block's hash, the block at hand must have it: the chain may have changed since the report.
   *
   * @param blockAt returns a block up to `tip`
   */
  async newlyFinal(
    tip: number,
    finalized: number | null,
    blockAt: (number: number) => Promise<BlockRef | null>,
  ): Promise<number | null> {
    const newest = this.#newest;
    if (newest === null || newest.number <= (finalized ?? -1)) return null;
    if (newest.hash === null || newest.number > tip) return Math.min(newest.number, tip);
    const block = await blockAt(newest.number);
    return block?.hash === newest.hash ? newest.number : null;
  }

  #isOutdated({ hash }: BlockRef): boolean {
    if (this.#asked?.hash !== hash) return true;
    return this.#clock.monotonic() - this.#asked.atMs >= this.#chain.blockTimeMs;
  }
}
