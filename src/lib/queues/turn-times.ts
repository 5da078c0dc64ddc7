/** Number of classes of work: turns below 1, 2, 4, 8, 16 and 32 ms on average, and longer ones. */
export const TURN_CLASSES = 7;
/** The first classes have short turns: below 4 ms. */
export const SHORT_CLASSES = 3;

/** Average for work that is not known yet: several times as long as most requests take. */
const UNKNOWN_MS = 20;
/** Weight of the newest turn in the average. */
const NEWEST_WEIGHT = 1 / 8;
/**
 * A turn changes the average by at most as much as one of this many times the average, and some milliseconds.
 * Its measured time may include other work of the process, such as sending a block to thousands of streams.
 */
const OUTLIER_FACTOR = 16;
const OUTLIER_MS = 16;
/** Maximum number of averages that are remembered: a few megabytes. */
const MAX_REMEMBERED = 30_000;

/** A client, and what its work does, such as the path of a request. */
export interface TurnOwner {
  client: string;
  kind: string;
}

/**
 * How long turns take on average: those of each client and kind, and those of each kind. A client's first
 * work of a kind is expected to take as long as that of others.
 */
export class TurnTimes {
  /** The averages whose last turn was longest ago come first. */
  readonly #averages = new Map<string, number>();

  /** Returns the class of a client's work: the shorter its turns, the lower. */
  classOf({ client, kind }: TurnOwner): number {
    return classWith(this.#averages.get(keyOf(client, kind)) ?? this.#averageOfKind(kind));
  }

  /** Returns whether the client has had short turns for work of this kind. */
  areShort({ client, kind }: TurnOwner): boolean {
    return classWith(this.#averages.get(keyOf(client, kind)) ?? UNKNOWN_MS) < SHORT_CLASSES;
  }

  add({ client, kind }: TurnOwner, ms: number): void {
    const ofKind = this.#averageOfKind(kind);
    for (const key of [keyOf(client, kind), keyOf(ANYONE, kind)]) {
      const before = this.#averages.get(key) ?? ofKind;
      const newest = Math.min(ms, OUTLIER_FACTOR * before + OUTLIER_MS);
      this.#averages.delete(key);
      this.#averages.set(key, before + (newest - before) * NEWEST_WEIGHT);
    }
    this.#forgetOldest();
  }

  #averageOfKind(kind: string): number {
    return this.#averages.get(keyOf(ANYONE, kind)) ?? UNKNOWN_MS;
  }

  #forgetOldest(): void {
    for (const oldest of this.#averages.keys()) {
      if (this.#averages.size <= MAX_REMEMBERED) return;
      this.#averages.delete(oldest);
    }
  }
}

/** The client in the key of an average over all clients. */
const ANYONE = "";

function classWith(average: number): number {
  return average < 1 ? 0 : Math.min(TURN_CLASSES - 1, 1 + Math.floor(Math.log2(average)));
}

function keyOf(client: string, kind: string): string {
  return `${client} ${kind}`;
}

/** Sizes up to this are of one level. */
const SMALL_BYTES = 4_096;

/** Returns a number that grows by 1 when a size doubles, for the kind of work whose time depends on a size. */
export function sizeLevel(bytes: number): number {
  return Math.ceil(Math.log2(1 + bytes / SMALL_BYTES));
}
