import { useSyncExternalStore } from "react";

interface StoredListOptions<Item> {
  /** Where it is in this browser's storage. */
  key: string;
  /** The oldest go when there are more. */
  most: number;
  isItem: (value: unknown) => value is Item;
  /** Two that are one: the newer takes the place of the older. */
  isSame: (a: Item, b: Item) => boolean;
}

/** A list that stays in this browser, newest first. */
export class StoredList<Item> {
  readonly #options: StoredListOptions<Item>;
  readonly #listeners = new Set<() => void>();
  #items: readonly Item[];

  constructor(options: StoredListOptions<Item>) {
    this.#options = options;
    this.#items = this.#stored();
    addEventListener("storage", ({ key }) => {
      if (key === options.key) this.#show(this.#stored());
    });
  }

  readonly items = (): readonly Item[] => this.#items;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** False where the browser does not let it be stored: then it is there until the page is left. */
  add(item: Item): boolean {
    const { most, isSame } = this.#options;
    return this.#keep([item, ...this.#items.filter((other) => !isSame(item, other))].slice(0, most));
  }

  remove(item: Item): boolean {
    return this.#keep(this.#items.filter((other) => !this.#options.isSame(item, other)));
  }

  #keep(items: readonly Item[]): boolean {
    this.#show(items);
    try {
      // Two pages may be open: what the other one kept meanwhile was shown by its event.
      localStorage.setItem(this.#options.key, JSON.stringify(items));
      return true;
    } catch {
      return false;
    }
  }

  #show(items: readonly Item[]): void {
    this.#items = items;
    for (const listener of this.#listeners) listener();
  }

  /** What is stored may be of an older version, or of somebody else: what is no item is left out. */
  #stored(): readonly Item[] {
    const text = localStorage.getItem(this.#options.key);
    if (text === null) return [];
    try {
      const list: unknown = JSON.parse(text);
      return Array.isArray(list) ? list.filter(this.#options.isItem).slice(0, this.#options.most) : [];
    } catch {
      return [];
    }
  }
}

export function useStoredList<Item>(list: StoredList<Item>): readonly Item[] {
  return useSyncExternalStore(list.subscribe, list.items);
}
