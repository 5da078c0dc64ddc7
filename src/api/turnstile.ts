import { BaseError } from "../lib/error.ts";

interface Waiting {
  enter(): void;
  leave(reason: Error): void;
}

/** The lines that questions wait in, by their kind. */
export type Turnstiles = Record<"query" | "read", Turnstile>;

/** Lets so many run at once and so many wait, each for so long; others are refused at once. */
export class Turnstile {
  readonly #limits: { running: number; waiting: number; waitMs: number };
  #running = 0;
  #refused = 0;
  readonly #waiting = new Set<Waiting>();

  constructor(limits: { running: number; waiting: number; waitMs: number }) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** How many found no place in the line, or waited too long in it. */
  get refused(): number {
    return this.#refused;
  }

  /** Runs a task when its turn comes. @throws TooBusy, GaveUp, and what the task throws */
  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    await this.#enter(signal);
    try {
      return await task();
    } finally {
      this.#leave();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new GaveUp();
    if (this.#running < this.#limits.running) {
      this.#running++;
      return;
    }
    if (this.#waiting.size >= this.#limits.waiting) throw this.#refusal();
    await this.#wait(signal);
  }

  /** Whoever leaves hands over its place, so that nobody slips in between. */
  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        this.#waiting.delete(waiting);
        act();
      };
      const waiting: Waiting = {
        enter: () => settle(resolve),
        leave: (reason) => settle(() => reject(reason)),
      };
      const giveUp = () => waiting.leave(new GaveUp());
      const timer = setTimeout(() => waiting.leave(this.#refusal()), this.#limits.waitMs);
      signal.addEventListener("abort", giveUp);
      this.#waiting.add(waiting);
    });
  }

  #refusal(): TooBusy {
    this.#refused++;
    return new TooBusy();
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#running--;
    else next.enter();
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
