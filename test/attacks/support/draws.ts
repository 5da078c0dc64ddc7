import { seeded } from "../../support/seeded.ts";

/** Makes random choices. The same seed gives the same choices. */
export class Draws {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seeded(seed);
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  /** Returns an integer from `least` to `most`. Every order of magnitude is equally likely. */
  size(least: number, most: number): number {
    return Math.floor(least * ((most + 1) / least) ** this.#next());
  }

  pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.#next() * values.length)];
    if (value === undefined) throw new Error("nothing to choose from");
    return value;
  }

  list(count: number, item: (i: number) => string, separator = ", "): string {
    return Array.from({ length: count }, (_, i) => item(i)).join(separator);
  }
}
