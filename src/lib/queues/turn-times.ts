/** Number of classes of clients: turns below 1, 2, 4, 8, 16 and 32 ms on average, and longer ones. */
export const TURN_CLASSES = 7;
/** The first classes have short turns: below 4 ms. */
export const SHORT_CLASSES = 3;

/** Average of a client whose turns are not known yet: several times as long as most requests take. */
const UNKNOWN_MS = 20;
/** Weight of the newest turn in the average. */
const NEWEST_WEIGHT = 1 / 8;
/**
 * A turn changes the average by at most as much as one of this many times the average, and some milliseconds.
 * Its measured time may include other work of the process, such as sending a block to thousands of streams.
 */
const OUTLIER_FACTOR = 16;
const OUTLIER_MS = 16;
/** Maximum number of clients whose average is remembered: about a megabyte. */
const MAX_REMEMBERED = 10_000;

/** How long the turns of each client take on average. */
export class TurnTimes {
  /** The client whose last turn was longest ago comes first. */
  readonly #averages = new Map<string, number>();

  /** Returns the class of a client: the shorter its turns, the lower. */
  classOf(client: string): number {
    const average = this.#averageOf(client);
    return average < 1 ? 0 : Math.min(TURN_CLASSES - 1, 1 + Math.floor(Math.log2(average)));
  }

  add(client: string, ms: number): void {
    const before = this.#averageOf(client);
    const newest = Math.min(ms, OUTLIER_FACTOR * before + OUTLIER_MS);
    this.#averages.delete(client);
    this.#averages.set(client, before + (newest - before) * NEWEST_WEIGHT);
    const [oldest] = this.#averages.keys();
    if (this.#averages.size > MAX_REMEMBERED && oldest !== undefined) this.#averages.delete(oldest);
  }

  #averageOf(client: string): number {
    return this.#averages.get(client) ?? UNKNOWN_MS;
  }
}
