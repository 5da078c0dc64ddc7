import { Fill } from "./fill.ts";

/**
 * Bytes of an entry in addition to its value: the map's slot, the entry object and a key of about 70
 * characters.
 */
export const ENTRY_BYTES = 200;

/**
 * Fraction of the maximum to which an eviction reduces the bytes. Evictions must be rare, because each one
 * passes over the slots of all entries that were removed before it.
 */
const EVICTION_TARGET = 0.9;

interface Entry<V> {
  /** null: nothing is stored under this key. */
  value: V | null;
  bytes: number;
  /** Newest block that the value may depend on: a rollback below it makes the value unknown. */
  changedAt: number;
  /** True if the entry has been read since an eviction last passed it. */
  wasRead: boolean;
}

export interface CacheUse {
  entries: number;
  bytes: number;
  evictions: number;
}

/**
 * Values by key, as of the serving state's commit. A key is unknown until it is filled from the store; from
 * then on commits keep it current. The least recently read entries are evicted first, approximately (the
 * CLOCK algorithm).
 */
export class KeyedCache<V> {
  readonly maxBytes: number;
  readonly #entries = new Map<string, Entry<V>>();
  readonly #fills = new Set<Fill<V>>();
  readonly #bytesOf: (value: V, key: string) => number;
  #bytes = 0;
  #evictions = 0;

  constructor(maxBytes: number, bytesOf: (value: V, key: string) => number) {
    this.maxBytes = maxBytes;
    this.#bytesOf = bytesOf;
  }

  get use(): CacheUse {
    return { entries: this.#entries.size, bytes: this.#bytes, evictions: this.#evictions };
  }

  /** Returns at most `count` of the known keys: every n-th one, from a random start. */
  sample(count: number): string[] {
    const keys = [...this.#entries.keys()];
    const stride = Math.max(1, Math.floor(keys.length / count));
    const start = Math.floor(Math.random() * stride);
    return keys.filter((_, i) => i % stride === start).slice(0, count);
  }

  /** True if commits must be applied: at least one key is known, or is being read from the store. */
  get isActive(): boolean {
    return this.#entries.size > 0 || this.#fills.size > 0;
  }

  /**
   * Returns the value of a key; null: nothing is stored under it; undefined: unknown, so the store must be
   * read.
   */
  get(key: string): V | null | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.wasRead = true;
    return entry.value;
  }

  /**
   * Applies a row of a new block to its key. `change` returns the new value; it is not called for keys that
   * are unknown.
   */
  update(key: string, block: number, change: (value: V | null) => V | null): void {
    for (const fill of this.#fills) fill.markChanged(key);
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#replace(key, entry, { value: change(entry.value), block });
    this.#evict();
  }

  /** Stores a value that was computed from other values, as of the serving state's commit. */
  set(key: string, value: V, block: number): void {
    this.#add(key, value, block);
    this.#evict();
  }

  /**
   * Makes a key unknown, because a row of a new block changed its value, and the new value must be read from
   * the store.
   */
  drop(key: string): void {
    for (const fill of this.#fills) fill.markChanged(key);
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#remove(key, entry);
  }

  /** Starts reading keys from the store as of the serving state's commit. */
  startFill(keys: readonly string[]): Fill<V> {
    const fill = new Fill<V>(keys, (values, block) => {
      this.#fills.delete(fill);
      for (const [key, value] of values) this.#add(key, value, block);
      this.#evict();
    });
    this.#fills.add(fill);
    return fill;
  }

  /** Returns the running fill that reads a key; undefined if none does. */
  fillOf(key: string): Fill<V> | undefined {
    for (const fill of this.#fills) if (fill.covers(key)) return fill;
    return undefined;
  }

  /** Forgets every value that may depend on blocks above the given one. */
  rollbackTo(block: number): void {
    for (const fill of this.#fills) fill.cancel();
    for (const [key, entry] of this.#entries) if (entry.changedAt > block) this.#remove(key, entry);
  }

  clear(): void {
    for (const fill of this.#fills) fill.cancel();
    this.#entries.clear();
    this.#bytes = 0;
  }

  #add(key: string, value: V | null, block: number): void {
    const known = this.#entries.get(key);
    if (known !== undefined) this.#remove(key, known);
    const entry = { value: null, bytes: 0, changedAt: block, wasRead: true };
    this.#entries.set(key, entry);
    this.#bytes += ENTRY_BYTES;
    this.#replace(key, entry, { value, block });
  }

  #replace(key: string, entry: Entry<V>, { value, block }: { value: V | null; block: number }): void {
    const bytes = value === null ? 0 : this.#bytesOf(value, key);
    this.#bytes += bytes - entry.bytes;
    entry.value = value;
    entry.bytes = bytes;
    entry.changedAt = Math.max(entry.changedAt, block);
  }

  #remove(key: string, entry: Entry<V>): void {
    this.#entries.delete(key);
    this.#bytes -= ENTRY_BYTES + entry.bytes;
  }

  /**
   * If the bytes exceed the maximum, removes entries, oldest first, until the bytes are at most the target.
   * An entry that was read since the last pass moves to the end instead.
   */
  #evict(): void {
    if (this.#bytes <= this.maxBytes) return;
    const target = this.maxBytes * EVICTION_TARGET;
    for (const [key, entry] of this.#entries) {
      if (this.#bytes <= target) return;
      this.#remove(key, entry);
      if (entry.wasRead) {
        entry.wasRead = false;
        this.#entries.set(key, entry);
        this.#bytes += ENTRY_BYTES + entry.bytes;
      } else this.#evictions++;
    }
  }
}
