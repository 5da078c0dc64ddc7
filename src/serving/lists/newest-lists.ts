import { KeyedCache } from "../cache/keyed-cache.ts";
import type { Fold } from "../fold.ts";

const TEXT_BYTES = 24;

/** Bytes per character: a string with any character outside Latin-1 takes two bytes for every character. */
const CHARACTER_BYTES = 2;

/**
 * The screener's lists as of the newest commit. Any block may change them, so they are kept only until the
 * next one. Until then, all pages that show the same list share one read of the store.
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
