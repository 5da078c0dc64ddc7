import type { Checkpoint } from "../../storage/summaries/price-summary.ts";

/**
 * The checkpoint of the price summary for the duration of one query: it is read once, when the query first
 * needs it, and compared with the newest one when the query ends. The summary may grow in the meantime
 * without changing any answer.
 */
export class CheckpointLease {
  readonly #newest: () => Promise<Checkpoint>;
  /** Newest block of the query's snapshot. */
  readonly #upTo: number;
  #leased: Promise<Checkpoint> | undefined;

  constructor(newest: () => Promise<Checkpoint>, upTo: number) {
    this.#newest = newest;
    this.#upTo = upTo;
  }

  /**
   * Returns null if the summary may hold trades above the snapshot's block; the summary must then not be
   * read.
   */
  async read(): Promise<Checkpoint | null> {
    this.#leased ??= this.#newest();
    const checkpoint = await this.#leased;
    return this.#isBeyond(checkpoint) ? null : checkpoint;
  }

  /**
   * Returns false if rows of the summary may be wrong: it was dropped in the meantime, or has grown beyond
   * the snapshot.
   */
  async isValid(): Promise<boolean> {
    if (this.#leased === undefined) return true;
    const [leased, newest] = [await this.#leased, await this.#newest()];
    return !this.#isBeyond(newest) && (leased.complete === null || newest.generation === leased.generation);
  }

  #isBeyond({ started }: Checkpoint): boolean {
    return started !== null && started > this.#upTo;
  }
}
