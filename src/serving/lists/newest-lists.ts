import { KeyedCache } from "../cache/keyed-cache.ts";
import type { Fold } from "../fold.ts";

const TEXT_BYTES = 24;

/** A text with one character outside of Latin-1 takes two bytes for each. */
const CHARACTER_BYTES = 2;

/**
 * Lists for screens as of the newest commit. Any block may change them, so they are kept until the next one:
 * all pages that show the same list share one read of the store.
 */
export class NewestLists implements Fold {
  readonly cache: KeyedCache<string>;

  constructor(maxBytes: number) {
    this.cache = new KeyedCache(
      maxBytes,
      (text, key) => TEXT_BYTES + CHARACTER_BYTES * (key.length + text.length),
    );
  }

  extend(): void {
    this.cache.clear();
  }
}
