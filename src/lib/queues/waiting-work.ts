import type { TurnOwner } from "./turn-times.ts";

/** A piece of work that waits for its turn. */
export interface Work extends TurnOwner {
  /** Begins the turn. */
  serve(): void;
  isWanted(): boolean;
}

/** Work whose turns take about the same time. */
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
  /** Must be called after the turn, with the time that it took. */
  count(ms: number): void;
}

/**
 * The waiting work of all clients. Classes of work have equal shares of the time, and the clients of a class
 * take turns.
 */
export class WaitingWork {
  readonly #classes: readonly TurnClass[];
  readonly #classOf: (owner: TurnOwner) => number;
  /** Number of pieces of each client's work. */
  readonly #sizes = new Map<string, number>();
  #size = 0;
  /** What the classes with turns have used. A class that gets work again starts here, or a little later. */
  #usedMs = 0;

  /** @param classOf returns the class of a client's work of one kind, from 0 to `classes - 1` */
  constructor(classes: number, classOf: (owner: TurnOwner) => number) {
    this.#classes = Array.from({ length: classes }, () => ({ waiting: new Map(), usedMs: 0 }));
    this.#classOf = classOf;
  }

  get size(): number {
    return this.#size;
  }

  sizeOf(client: string): number {
    return this.#sizes.get(client) ?? 0;
  }

  /** Returns whether work of the first classes waits. */
  has(classes: number): boolean {
    return this.#nextClass(classes) !== null;
  }

  add(work: Work): void {
    const entered = this.#entered(work);
    const waiting = entered.waiting.get(work.client);
    if (waiting === undefined) entered.waiting.set(work.client, [work]);
    else waiting.push(work);
    this.#resize(work.client, 1);
  }

  /** Removes the next work; null if none waits. @param classes number of classes that are served */
  takeNext(classes: number): NextWork | null {
    let from = this.#nextClass(classes);
    while (from !== null && this.#moveNext(from)) from = this.#nextClass(classes);
    const [client = "", work = []] = from?.waiting.entries().next().value ?? [];
    const taken = work.shift();
    if (from === null || taken === undefined) return null;
    const served = from;
    served.waiting.delete(client);
    if (work.length > 0) served.waiting.set(client, work);
    this.#resize(client, -1);
    this.#usedMs = Math.max(this.#usedMs, served.usedMs);
    const count = (ms: number) => {
      served.usedMs += Math.min(ms, MOST_COUNTED_MS);
    };
    return { ...taken, count };
  }

  /**
   * Moves the next work of a class to another class if its turns have proved longer or shorter since it came,
   * with the client's other work of that kind. Returns whether it has. A client may send much work of a kind
   * before its first turn shows how long it takes.
   */
  #moveNext(from: TurnClass): boolean {
    const [client = "", work = []] = from.waiting.entries().next().value ?? [];
    const [next] = work;
    if (next === undefined || this.#classes[this.#classOf(next)] === from) return false;
    const entered = this.#entered(next);
    const moved = work.filter(({ kind }) => kind === next.kind);
    const left = work.filter(({ kind }) => kind !== next.kind);
    // Work of the same kind that is already in the other class came later.
    entered.waiting.set(client, [...moved, ...(entered.waiting.get(client) ?? [])]);
    from.waiting.delete(client);
    if (left.length > 0) from.waiting.set(client, left);
    return true;
  }

  /** Returns the class that work belongs to, which gets its first work by it or has some. */
  #entered(work: Work): TurnClass {
    const entered = this.#classes[this.#classOf(work)] as TurnClass;
    // A class is not owed the time in which it had no work, and owes little of the time that it used before.
    if (entered.waiting.size === 0)
      entered.usedMs = Math.min(Math.max(entered.usedMs, this.#usedMs), this.#usedMs + MOST_OWED_MS);
    return entered;
  }

  removeUnwanted(): void {
    for (const { waiting } of this.#classes) {
      for (const [client, work] of waiting) {
        const wanted = work.filter(({ isWanted }) => isWanted());
        this.#resize(client, wanted.length - work.length);
        if (wanted.length > 0) waiting.set(client, wanted);
        else waiting.delete(client);
      }
    }
  }

  #resize(client: string, added: number): void {
    const size = this.sizeOf(client) + added;
    if (size === 0) this.#sizes.delete(client);
    else this.#sizes.set(client, size);
    this.#size += added;
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
