import { BaseError } from "../../lib/error.ts";

interface Waiting {
  client: string;
  enter(): void;
  leave(reason: Error): void;
}

/** Whose question it is, and the end of their patience. */
export interface Asker {
  /** Their key, or their address where there are no keys. */
  client: string;
  signal: AbortSignal;
}

/** Where questions wait for their turn. */
export interface Line {
  readonly running: number;
  readonly waiting: number;
  /** How many found no place in the line, or waited too long in it. */
  readonly refused: number;
  /**
   * Runs a task when its turn comes. The task is given a signal that tells it to stop.
   *
   * @throws TooBusy, GaveUp, and what the task throws
   */
  run<T>(asker: Asker, task: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** The lines that questions wait in, by their kind. */
export type Lines = Record<"query" | "read", Line>;

/**
 * Lets so many run at once and so many wait, each for so long; others are refused at once. The next is whose client
 * has fewest running, and of those who came first: no client's questions keep all places from the others.
 */
export class Turnstile implements Line {
  readonly #limits: { running: number; waiting: number; waitMs: number };
  readonly #running: string[] = [];
  #refused = 0;
  readonly #waiting = new Set<Waiting>();

  constructor(limits: { running: number; waiting: number; waitMs: number }) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running.length;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get refused(): number {
    return this.#refused;
  }

  async run<T>(asker: Asker, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    await this.enter(asker);
    try {
      return await task(asker.signal);
    } finally {
      this.leave(asker);
    }
  }

  /** Resolves with a place, which is to be left. @throws TooBusy, GaveUp */
  async enter(asker: Asker): Promise<void> {
    if (asker.signal.aborted) throw new GaveUp();
    if (this.tryEnter(asker)) return;
    if (this.#waiting.size >= this.#limits.waiting) throw this.#refusal();
    await this.#wait(asker);
  }

  /** Takes a place if one is free now. */
  tryEnter({ client }: Asker): boolean {
    if (this.#running.length >= this.#limits.running) return false;
    this.#running.push(client);
    return true;
  }

  /** Whoever leaves hands over its place, so that nobody slips in between. */
  leave({ client }: Asker): void {
    this.#running.splice(this.#running.indexOf(client), 1);
    const next = this.#next();
    if (next === undefined) return;
    this.#running.push(next.client);
    next.enter();
  }

  #wait({ client, signal }: Asker): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        this.#waiting.delete(waiting);
        act();
      };
      const waiting: Waiting = {
        client,
        enter: () => settle(resolve),
        leave: (reason) => settle(() => reject(reason)),
      };
      const giveUp = () => waiting.leave(new GaveUp());
      const timer = setTimeout(() => waiting.leave(this.#refusal()), this.#limits.waitMs);
      signal.addEventListener("abort", giveUp);
      this.#waiting.add(waiting);
    });
  }

  #next(): Waiting | undefined {
    const places = ({ client }: Waiting) => this.#running.filter((running) => running === client).length;
    const [first, ...others] = this.#waiting;
    if (first === undefined) return undefined;
    return others.reduce((best, one) => (places(one) < places(best) ? one : best), first);
  }

  #refusal(): TooBusy {
    this.#refused++;
    return new TooBusy();
  }
}

export class TooBusy extends BaseError {
  constructor() {
    super("busy", "Too many requests are running and waiting. Try again in a second.", { retryable: true });
  }
}

/** Nobody waits for the answer any more. */
export class GaveUp extends BaseError {
  constructor() {
    super("timeout", "The request was given up before it was answered.");
  }
}
