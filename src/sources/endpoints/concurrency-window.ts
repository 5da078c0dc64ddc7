/**
 * How many requests may be under way at once, found out as TCP does: each good answer widens the window a
 * little (by one per window of answers), congestion halves it.
 */
export class ConcurrencyWindow {
  #limit: number;
  readonly #max: number;
  #active = 0;
  #cutAt = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(initial: number, max: number) {
    this.#limit = Math.min(initial, max);
    this.#max = max;
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Load in windows: requests under way or waiting, against the limit. */
  get load(): number {
    return (this.#active + this.#waiting.length) / this.limit;
  }

  /** Waits for a place; `leave` gives it back. */
  async enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#active < this.limit) {
      this.#active++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const admit = (): void => {
        signal?.removeEventListener("abort", refuse);
        resolve();
      };
      const refuse = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", refuse, { once: true });
      this.#waiting.push(admit);
    });
  }

  leave(): void {
    this.#active--;
    this.#admit();
  }

  widen(): void {
    this.#limit = Math.min(this.#max, this.#limit + 1 / this.#limit);
    this.#admit();
  }

  /** Halves once for all requests that were under way together. */
  cut(startedAt: number): void {
    if (startedAt < this.#cutAt) return;
    this.#cutAt = performance.now();
    this.#limit = Math.max(1, this.#limit / 2);
  }

  #admit(): void {
    while (this.#active < this.limit) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#active++;
      next();
    }
  }
}
