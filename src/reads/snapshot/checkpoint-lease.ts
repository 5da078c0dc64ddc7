import type { Checkpoint } from "../../storage/summaries/price-summary.ts";

/**
 * How far the summary of prices goes, for the time of one question: read once, when the question first needs it, and
 * looked at again when it is answered. Meanwhile the summary may grow, which changes no answer.
 */
export class SealInUse {
  readonly #newest: () => Promise<Checkpoint>;
  /** Newest block of the question's snapshot. */
  readonly #upTo: number;
  #read: Promise<Checkpoint> | undefined;

  constructor(newest: () => Promise<Checkpoint>, upTo: number) {
    this.#newest = newest;
    this.#upTo = upTo;
  }

  /** Null when the summary may hold trades above the snapshot's block, and is not to be read. */
  async read(): Promise<Checkpoint | null> {
    this.#read ??= this.#newest();
    const seal = await this.#read;
    return this.#isBeyond(seal) ? null : seal;
  }

  /** False when what was read out of the summary may be wrong: it was dropped meanwhile, or has gone beyond the snapshot. */
  async holds(): Promise<boolean> {
    if (this.#read === undefined) return true;
    const [read, newest] = [await this.#read, await this.#newest()];
    return !this.#isBeyond(newest) && (read.complete === null || newest.generation === read.generation);
  }

  #isBeyond({ started }: Checkpoint): boolean {
    return started !== null && started > this.#upTo;
  }
}
