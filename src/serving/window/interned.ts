import type { Hex } from "../../lib/hex.ts";

/** Assigns small numbers to recurring hex strings. A string keeps its number as long as it is in use. */
export class Interned {
  readonly #ids = new Map<Hex, number>();
  readonly #values: Hex[] = [];
  readonly #uses: number[] = [];
  readonly #free: number[] = [];
  /** The value that was used last. It is often used again: both trades of a swap have the same pool. */
  #last: Hex | null = null;
  #lastId = 0;

  get size(): number {
    return this.#ids.size;
  }

  idOf(value: Hex): number | undefined {
    return this.#ids.get(value);
  }

  valueOf(id: number): Hex {
    return this.#values[id] as Hex;
  }

  /** Returns the number of a value, and counts one more use of it. */
  use(value: Hex): number {
    if (value !== this.#last) {
      this.#lastId = this.#ids.get(value) ?? this.#add(value);
      this.#last = this.valueOf(this.#lastId);
    }
    this.#uses[this.#lastId] = (this.#uses[this.#lastId] ?? 0) + 1;
    return this.#lastId;
  }

  /** Ends one use. After the last one, the number may be assigned to another value. */
  release(id: number): void {
    const left = (this.#uses[id] ?? 0) - 1;
    this.#uses[id] = left;
    if (left > 0) return;
    this.#ids.delete(this.valueOf(id));
    this.#free.push(id);
    this.#last = null;
  }

  #add(value: Hex): number {
    const id = this.#free.pop() ?? this.#values.length;
    // A copy, because the string may be a slice, which would keep a much larger string in memory.
    const copy = Buffer.from(value, "latin1").toString("latin1") as Hex;
    this.#ids.set(copy, id);
    this.#values[id] = copy;
    this.#uses[id] = 0;
    return id;
  }
}
