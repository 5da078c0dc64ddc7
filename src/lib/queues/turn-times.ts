/** Average of a client whose turns are not known yet: several times as long as most requests take. */
const UNKNOWN_MS = 20;
/** Weight of the newest turn in the average. Even small requests take long now and then, on a busy machine. */
const NEWEST_WEIGHT = 1 / 8;
/** Maximum number of clients whose average is remembered: about a megabyte. */
const MAX_REMEMBERED = 10_000;

/** Number of classes of clients: turns below 1, 2, 4, 8, 16 and 32 ms on average, and longer ones. */
export const TURN_CLASSES = 7;
/** The first classes have short turns: below 4 ms on average. */
export const SHORT_CLASSES = 3;

/** How long the turns of each client take on average. */
export class TurnTimes {
  /** The client whose last turn was longest ago comes first. */
  readonly #averages = new Map<string, number>();

  /** Returns the class of a client: the shorter its turns, the lower. */
  classOf(client: string): number {
    const average = this.#averages.get(client) ?? UNKNOWN_MS;
    return average < 1 ? 0 : Math.min(TURN_CLASSES - 1, 1 + Math.floor(Math.log2(average)));
  }

  add(client: string, ms: number): void {
    const before = this.#averages.get(client) ?? UNKNOWN_MS;
    this.#averages.delete(client);
    this.#averages.set(client, before + (ms - before) * NEWEST_WEIGHT);
    const [oldest] = this.#averages.keys();
    if (this.#averages.size > MAX_REMEMBERED && oldest !== undefined) this.#averages.delete(oldest);
  }
}
