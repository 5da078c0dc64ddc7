import type { Hex } from "../../lib/hex.ts";

interface Entry<V> {
  value: V;
  /** Newest block that the value may come from. */
  block: number;
}

/** Values by address, each with the newest block that it may come from, so that a rollback can drop it. */
export class BlockScopedMap<V> {
  readonly #entries = new Map<Hex, Entry<V>>();
  #block = -1;

  get size(): number {
    return this.#entries.size;
  }

  /** Values set from now on may come from any block up to this one. */
  advanceTo(block: number): void {
    this.#block = block;
  }

  get(address: Hex): V | undefined {
    return this.#entries.get(address)?.value;
  }

  has(address: Hex): boolean {
    return this.#entries.has(address);
  }

  set(address: Hex, value: V): void {
    this.setAt(this.#block, address, value);
  }

  /** Sets a value that comes from no block above the given one. */
  setAt(block: number, address: Hex, value: V): void {
    this.#entries.set(address, { value, block });
  }

  /** Drops the values that may come from blocks above the given one. Returns their addresses. */
  rollbackTo(newest: number): Hex[] {
    const dropped = [...this.#entries].filter(([, { block }]) => block > newest).map(([address]) => address);
    for (const address of dropped) this.#entries.delete(address);
    return dropped;
  }

  clear(): void {
    this.#entries.clear();
  }
}
