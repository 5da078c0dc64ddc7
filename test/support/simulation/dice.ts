import { createHash } from "node:crypto";
import { seeded } from "../seeded.ts";

/**
 * Draws random numbers from a seed, with a separate sequence for each purpose. Draws for one purpose do not
 * affect draws for another, so a run can be repeated regardless of thread timing.
 */
export class Dice {
  readonly #seed: number;
  readonly #sequences = new Map<string, () => number>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Returns the next draw for a purpose, in [0, 1). */
  draw(purpose: string): number {
    let sequence = this.#sequences.get(purpose);
    if (sequence === undefined) {
      const digest = createHash("sha256").update(`${this.#seed} ${purpose}`).digest();
      sequence = seeded(digest.readUInt32LE());
      this.#sequences.set(purpose, sequence);
    }
    return sequence();
  }

  chance(purpose: string, probability: number): boolean {
    return this.draw(purpose) < probability;
  }

  /** Returns an integer from `least` to `most`, both included. */
  between(purpose: string, least: number, most: number): number {
    return least + Math.floor(this.draw(purpose) * (most - least + 1));
  }

  pick<T>(purpose: string, values: readonly [T, ...T[]]): T {
    return values[Math.floor(this.draw(purpose) * values.length)] ?? values[0];
  }
}
