import { OpenFollowers } from "./followers.ts";
import {
  type AnyRow,
  type Condition,
  type EventFilter,
  type EventSubscription,
  type EventTable,
  filterKey,
  matches,
} from "./subscription.ts";

/** A group of equal subscriptions, with any number of subscribers. */
export interface Feed<S> {
  readonly key: string;
  readonly filter: EventFilter;
  readonly followers: OpenFollowers<S>;
}

/**
 * Finds the feeds that a row matches. Stores each feed under the values of only one condition, the one that
 * needs the fewest entries. A row needs only a few lookups for any number of subscriptions.
 */
export class EventIndex<S> {
  readonly #feeds = new Map<string, Feed<S>>();
  readonly #tables = new Map<EventTable, TableIndex<S>>();

  add(subscriber: S, { id, ...filter }: EventSubscription): Feed<S> {
    const key = filterKey(filter);
    const feed = this.#feeds.get(key) ?? this.#open(key, filter);
    feed.followers.follow(subscriber, id);
    return feed;
  }

  #open(key: string, filter: EventFilter): Feed<S> {
    const feed = { key, filter, followers: new OpenFollowers<S>() };
    const index = this.#tables.get(filter.table) ?? new TableIndex<S>();
    this.#tables.set(filter.table, index);
    this.#feeds.set(key, feed);
    index.add(feed);
    return feed;
  }

  /** Ends all subscriptions of a subscriber to a feed. */
  remove(subscriber: S, feed: Feed<S>): void {
    const isLast = feed.followers.delete(subscriber) && feed.followers.size === 0;
    if (!isLast) return;
    this.#feeds.delete(feed.key);
    this.#tables.get(feed.filter.table)?.remove(feed);
  }

  /** Returns whether there is a subscription to rows of a table. */
  isAsked(table: EventTable): boolean {
    return this.#tables.get(table)?.isEmpty === false;
  }

  /** Returns the feeds that a row matches, each once. */
  matching(table: EventTable, row: AnyRow): Feed<S>[] {
    return this.#tables.get(table)?.matching(row) ?? [];
  }
}

class TableIndex<S> {
  /** Feeds with conditions, by column and value. */
  readonly #byColumn = new Map<string, Map<string, Set<Feed<S>>>>();
  /** Feeds without conditions. */
  readonly #others = new Set<Feed<S>>();
  #size = 0;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  add(feed: Feed<S>): void {
    this.#size++;
    const condition = shortest(feed);
    if (condition === undefined) this.#others.add(feed);
    else for (const set of this.#setsOf(condition)) set.add(feed);
  }

  remove(feed: Feed<S>): void {
    this.#size--;
    const condition = shortest(feed);
    if (condition === undefined) this.#others.delete(feed);
    else for (const set of this.#setsOf(condition)) set.delete(feed);
    if (condition !== undefined) this.#dropEmpty(condition);
  }

  matching(row: AnyRow): Feed<S>[] {
    const found: Feed<S>[] = [];
    for (const feed of this.#others) if (matches(feed.filter, row)) found.push(feed);
    const sets: Set<Feed<S>>[] = [];
    for (const [column, byValue] of this.#byColumn) {
      const set = byValue.get(row[column] as string);
      if (set !== undefined) sets.push(set);
    }
    // A transfer may have the same address as its sender and its recipient, so a feed may be found twice.
    const named = sets.length > 1 ? new Set(sets.flatMap((set) => [...set])) : (sets[0] ?? []);
    for (const feed of named) if (matches(feed.filter, row)) found.push(feed);
    return found;
  }

  #setsOf({ columns, values }: Condition): Set<Feed<S>>[] {
    return columns.flatMap((column) => {
      const byValue = this.#byColumn.get(column) ?? new Map<string, Set<Feed<S>>>();
      this.#byColumn.set(column, byValue);
      return [...values].map((value) => {
        const set = byValue.get(value) ?? new Set();
        byValue.set(value, set);
        return set;
      });
    });
  }

  #dropEmpty({ columns, values }: Condition): void {
    for (const column of columns) {
      const byValue = this.#byColumn.get(column);
      for (const value of values) if (byValue?.get(value)?.size === 0) byValue.delete(value);
    }
  }
}

function shortest<S>({ filter: { conditions } }: Feed<S>): Condition | undefined {
  return conditions.reduce<Condition | undefined>(
    (best, one) => (best === undefined || cost(one) < cost(best) ? one : best),
    undefined,
  );
}

function cost({ columns, values }: Condition): number {
  return columns.length * values.size;
}
