import { useSyncExternalStore } from "react";

interface StoredListOptions<Item> {
  /** Key in localStorage. */
  key: string;
  /** Maximum number of items; beyond it, the oldest are dropped. */
  maxItems: number;
  isItem: (value: unknown) => value is Item;
  /** Whether two items are the same, so that the newer one replaces the older. */
  isSame: (a: Item, b: Item) => boolean;
}

/** A list stored in this browser, newest first. */
export class StoredList<Item> {
  readonly #options: StoredListOptions<Item>;
  readonly #listeners = new Set<() => void>();
  #items: readonly Item[];

  constructor(options: StoredListOptions<Item>) {
    this.#options = options;
    this.#items = this.#load();
    addEventListener("storage", ({ key }) => {
      if (key === options.key) this.#setItems(this.#load());
    });
  }

  readonly items = (): readonly Item[] => this.#items;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Adds an item. Returns false if the browser refuses to store it; the item then lasts until the user leaves
   * the page.
   */
  add(item: Item): boolean {
    const { maxItems, isSame } = this.#options;
    return this.#save([item, ...this.#items.filter((other) => !isSame(item, other))].slice(0, maxItems));
  }

  remove(item: Item): boolean {
    return this.#save(this.#items.filter((other) => !this.#options.isSame(item, other)));
  }

  #save(items: readonly Item[]): boolean {
    this.#setItems(items);
    try {
      // The storage event has already loaded changes made by other open pages.
      localStorage.setItem(this.#options.key, JSON.stringify(items));
      return true;
    } catch {
      return false;
    }
  }

  #setItems(items: readonly Item[]): void {
    this.#items = items;
    for (const listener of this.#listeners) listener();
  }

  /**
   * Returns the stored items. Drops invalid ones, because the stored value may be from an older version or
   * another program.
   */
  #load(): readonly Item[] {
    const text = localStorage.getItem(this.#options.key);
    if (text === null) return [];
    try {
      const list: unknown = JSON.parse(text);
      return Array.isArray(list) ? list.filter(this.#options.isItem).slice(0, this.#options.maxItems) : [];
    } catch {
      return [];
    }
  }
}

export function useStoredList<Item>(list: StoredList<Item>): readonly Item[] {
  return useSyncExternalStore(list.subscribe, list.items);
}
