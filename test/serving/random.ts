import { seeded } from "../support/seeded.ts";

/** Makes random choices. The same seed repeats them. */
export class Random {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seeded(seed);
  }

  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Returns one to `max` items of the list, in random order and without repeats. */
  some<T>(list: readonly T[], max = list.length): T[] {
    const shuffled = list.map((item) => ({ item, place: this.#next() })).sort((a, b) => a.place - b.place);
    return shuffled.slice(0, 1 + this.below(Math.min(max, list.length))).map(({ item }) => item);
  }
}
