import {
  type AnyRow,
  type Condition,
  type EventSubscription,
  type EventTable,
  matches,
} from "./subscription.ts";

/** A subscription and whose it is. */
export interface Subscribed<S> {
  subscriber: S;
  subscription: EventSubscription;
}

/**
 * Finds the subscriptions that a row matches. Each is kept under the values of its shortest condition, so that
 * a row costs a few lookups, however many subscriptions there are.
 */
export class EventIndex<S> {
  readonly #tables = new Map<EventTable, TableIndex<S>>();

  add(subscribed: Subscribed<S>): void {
    const { table } = subscribed.subscription;
    const index = this.#tables.get(table) ?? new TableIndex<S>();
    this.#tables.set(table, index);
    index.add(subscribed);
  }

  remove(subscribed: Subscribed<S>): void {
    this.#tables.get(subscribed.subscription.table)?.remove(subscribed);
  }

  /** Whether any subscription is about a table. */
  isAsked(table: EventTable): boolean {
    return this.#tables.get(table)?.isEmpty === false;
  }

  /** The subscriptions that a row matches, each once. */
  matching(table: EventTable, row: AnyRow): Subscribed<S>[] {
    return this.#tables.get(table)?.matching(row) ?? [];
  }
}

class TableIndex<S> {
  /** Subscriptions with conditions, by column and value. */
  readonly #byColumn = new Map<string, Map<string, Set<Subscribed<S>>>>();
  /** Subscriptions to all rows. */
  readonly #others = new Set<Subscribed<S>>();
  #size = 0;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  add(subscribed: Subscribed<S>): void {
    this.#size++;
    const condition = shortest(subscribed);
    if (condition === undefined) this.#others.add(subscribed);
    else for (const set of this.#setsOf(condition)) set.add(subscribed);
  }

  remove(subscribed: Subscribed<S>): void {
    this.#size--;
    const condition = shortest(subscribed);
    if (condition === undefined) this.#others.delete(subscribed);
    else for (const set of this.#setsOf(condition)) set.delete(subscribed);
    if (condition !== undefined) this.#dropEmpty(condition);
  }

  matching(row: AnyRow): Subscribed<S>[] {
    const found = [...this.#others].filter(({ subscription }) => matches(subscription, row));
    const sets = [...this.#byColumn].flatMap(([column, byValue]) => byValue.get(row[column] as string) ?? []);
    // A transfer may have one address as its sender and as its recipient.
    const named = sets.length === 1 ? (sets[0] ?? []) : new Set(sets.flatMap((set) => [...set]));
    for (const one of named) if (matches(one.subscription, row)) found.push(one);
    return found;
  }

  #setsOf({ columns, values }: Condition): Set<Subscribed<S>>[] {
    return columns.flatMap((column) => {
      const byValue = this.#byColumn.get(column) ?? new Map<string, Set<Subscribed<S>>>();
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

function shortest<S>({ subscription: { conditions } }: Subscribed<S>): Condition | undefined {
  return conditions.reduce<Condition | undefined>(
    (best, one) => (best === undefined || cost(one) < cost(best) ? one : best),
    undefined,
  );
}

function cost({ columns, values }: Condition): number {
  return columns.length * values.size;
}
