import { KeyedCache } from "../cache/keyed-cache.ts";
import type { Fold } from "../fold.ts";

const TEXT_BYTES = 24;

/**
 * Lists for screens as of the newest commit. Any block may change them, so they are kept until the next one: all
 * pages that show the same list share one read of the store.
 */
export class NewestLists implements Fold {
  readonly cache: KeyedCache<string>;

  constructor(maxBytes: number) {
    this.cache = new KeyedCache(maxBytes, (text) => TEXT_BYTES + text.length);
  }

  extend(): void {
    this.cache.clear();
  }
}
