import { seeded } from "../../support/seeded.ts";

/** Random choices, the same for the same seed. */
export class Draws {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seeded(seed);
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  /** A whole number from `least` to `most`; each order of magnitude is as likely as the others. */
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
