import type { Hex } from "../../lib/hex.ts";

interface Known<V> {
  value: V;
  /** Newest block that may have taught it. */
  since: number;
}

/** What memory holds by address, and since which block: so that a rollback takes back what later blocks taught. */
export class Knowledge<V> {
  readonly #known = new Map<Hex, Known<V>>();
  #block = -1;

  get size(): number {
    return this.#known.size;
  }

  /** From now on things are learned from blocks up to this one. */
  learnUpTo(block: number): void {
    this.#block = block;
  }

  get(address: Hex): V | undefined {
    return this.#known.get(address)?.value;
  }

  has(address: Hex): boolean {
    return this.#known.has(address);
  }

  set(address: Hex, value: V): void {
    this.#known.set(address, { value, since: this.#block });
  }

  /** Forgets what blocks above the given one may have taught, and names it. */
  rollback(block: number): Hex[] {
    const gone = [...this.#known].filter(([, { since }]) => since > block).map(([address]) => address);
    for (const address of gone) this.#known.delete(address);
    return gone;
  }

  clear(): void {
    this.#known.clear();
  }
}
