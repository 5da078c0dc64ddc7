/** Sums by key, and their total. Does not store keys whose sum is zero. */
export class Sums {
  readonly #sums = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(key: string): number {
    return this.#sums.get(key) ?? 0;
  }

  add(key: string, change: number): void {
    const sum = this.of(key) + change;
    if (sum === 0) this.#sums.delete(key);
    else this.#sums.set(key, sum);
    this.#total += change;
  }
}
