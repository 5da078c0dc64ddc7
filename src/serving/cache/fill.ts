/**
 * Keys that are being read from the store as of one commit. Further commits may arrive meanwhile. A key that
 * one of them changes stays unknown. After a rollback, all keys stay unknown, because the values that were
 * read are outdated.
 */
export class Fill<V> {
  readonly #wanted: Set<string>;
  readonly #admit: (values: Map<string, V | null>, block: number) => void;
  readonly #settled: Promise<void>;
  #settle: () => void = () => {};

  constructor(keys: readonly string[], admit: (values: Map<string, V | null>, block: number) => void) {
    this.#wanted = new Set(keys);
    this.#admit = admit;
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Resolves when the fill has ended, whether or not it succeeded. */
  get settled(): Promise<void> {
    return this.#settled;
  }

  covers(key: string): boolean {
    return this.#wanted.has(key);
  }

  markChanged(key: string): void {
    this.#wanted.delete(key);
  }

  cancel(): void {
    this.#wanted.clear();
  }

  /**
   * Adds to the cache the values that are still current, and returns them. A key without a value becomes
   * null: it is known to have none.
   *
   * @param block newest block of the commit that was read
   */
  complete(values: ReadonlyMap<string, V>, block: number): Map<string, V | null> {
    const current = new Map([...this.#wanted].map((key) => [key, values.get(key) ?? null]));
    this.#admit(current, block);
    this.#settle();
    return current;
  }

  /** Keys that no later commit has changed. */
  get current(): string[] {
    return [...this.#wanted];
  }

  /** Ends the fill without adding any values to the cache. */
  abandon(): void {
    this.#admit(new Map(), 0);
    this.#settle();
  }
}
