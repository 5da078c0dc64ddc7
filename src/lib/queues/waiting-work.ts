/** A piece of work that waits for its turn. */
export interface Work {
  /** Begins the turn. */
  serve(): void;
  isWanted(): boolean;
}

/** A class of clients. */
interface TurnClass {
  /** The waiting work of each client, in the order in which clients are served. */
  readonly waiting: Map<string, Work[]>;
  /** Time that the turns of the class have taken, in milliseconds. */
  usedMs: number;
}

/** How much of a turn counts at most: its measured time may include other work of the process. */
const MOST_COUNTED_MS = 250;

/** How much more than others a class may have used when it gets work again: a few long turns. */
const MOST_OWED_MS = 100;

/** The next work to serve. */
export interface NextWork extends Work {
  client: string;
  /** Must be called after the turn, with the time that it took. */
  count(ms: number): void;
}

/**
 * The waiting work of all clients. Classes of clients have equal shares of the time, and the clients of a
 * class take turns.
 */
export class WaitingWork {
  readonly #classes: readonly TurnClass[];
  readonly #classOf: (client: string) => number;
  /** The class in which each client waits. */
  readonly #clients = new Map<string, TurnClass>();
  #size = 0;
  /** What the classes with turns have used. A class that gets work again starts here, or a little later. */
  #usedMs = 0;

  /** @param classOf returns the class of a client, from 0 to `classes - 1` */
  constructor(classes: number, classOf: (client: string) => number) {
    this.#classes = Array.from({ length: classes }, () => ({ waiting: new Map(), usedMs: 0 }));
    this.#classOf = classOf;
  }

  get size(): number {
    return this.#size;
  }

  sizeOf(client: string): number {
    return this.#workOf(client)?.length ?? 0;
  }

  /** Returns whether work of the first classes waits. */
  has(classes: number): boolean {
    return this.#nextClass(classes) !== null;
  }

  add(client: string, work: Work): void {
    const waiting = this.#workOf(client);
    if (waiting === undefined) this.#enter(client, [work]);
    else waiting.push(work);
    this.#size++;
  }

  /** Removes the next work; null if none waits. @param classes number of classes that are served */
  takeNext(classes: number): NextWork | null {
    const from = this.#nextClass(classes);
    const [client = "", work = []] = from?.waiting.entries().next().value ?? [];
    const taken = work.shift();
    if (from === null || taken === undefined) return null;
    this.#size--;
    this.#usedMs = Math.max(this.#usedMs, from.usedMs);
    // The class keeps the time that it is owed, even if this client is its only one.
    from.waiting.delete(client);
    if (work.length > 0) this.#enter(client, work, from);
    else this.#clients.delete(client);
    const count = (ms: number) => {
      from.usedMs += Math.min(ms, MOST_COUNTED_MS);
    };
    return { ...taken, client, count };
  }

  removeUnwanted(): void {
    for (const [client, { waiting }] of this.#clients) {
      const work = waiting.get(client) ?? [];
      const wanted = work.filter(({ isWanted }) => isWanted());
      this.#size -= work.length - wanted.length;
      waiting.set(client, wanted);
      if (wanted.length > 0) continue;
      waiting.delete(client);
      this.#clients.delete(client);
    }
  }

  /** @param left class that the client has just left */
  #enter(client: string, work: Work[], left: TurnClass | null = null): void {
    const entered = this.#classes[this.#classOf(client)] as TurnClass;
    // A class is not owed the time in which it had no work, and owes little of the time that it used before.
    if (entered.waiting.size === 0 && entered !== left)
      entered.usedMs = Math.min(Math.max(entered.usedMs, this.#usedMs), this.#usedMs + MOST_OWED_MS);
    entered.waiting.set(client, work);
    this.#clients.set(client, entered);
  }

  #workOf(client: string): Work[] | undefined {
    return this.#clients.get(client)?.waiting.get(client);
  }

  /** Returns the class with waiting work that has used the least time; of equal ones, the first. */
  #nextClass(classes: number): TurnClass | null {
    let next: TurnClass | null = null;
    for (const [i, one] of this.#classes.entries()) {
      if (i < classes && one.waiting.size > 0 && (next === null || one.usedMs < next.usedMs)) next = one;
    }
    return next;
  }
}
