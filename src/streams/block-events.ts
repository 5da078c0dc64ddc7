import { type RecordPrinter, recordPrinter } from "../engine-sql/record-printer.ts";
import { type Rows, tableOf } from "../schema/tables.ts";
import { EventIndex, type Feed } from "./event-index.ts";
import type { Outbox } from "./outbox.ts";
import { SharedValue } from "./shared-values.ts";
import { type AnyRow, EVENT_TABLES, type EventSubscription, type EventTable } from "./subscription.ts";

/**
 * Finds which subscribers get which rows of a block. Prints each row once, and combines the rows of equal
 * subscriptions once, for any number of subscribers.
 */
export class BlockEvents<S> {
  readonly #index = new EventIndex<S>();
  readonly #printers = new Map<EventTable, RecordPrinter>();

  /**
   * Adds subscriptions.
   *
   * @returns the feeds to pass to `remove`
   */
  add(subscriber: S, subscriptions: readonly EventSubscription[]): readonly Feed<S>[] {
    return subscriptions.map((subscription) => this.#index.add(subscriber, subscription));
  }

  remove(subscriber: S, feeds: readonly Feed<S>[]): void {
    for (const feed of feeds) this.#index.remove(subscriber, feed);
  }

  /**
   * Returns a function that adds the rows of one block to the frames of their subscribers.
   *
   * @param rows rows of one or more blocks
   */
  collector(rows: Rows): (outbox: Outbox<S>, block: number) => void {
    const tables = EVENT_TABLES.filter((table) => this.#index.isAsked(table));
    const blocks = tables.map(
      (table) => [table, byBlock(rows[table] ?? [], tableOf(table).blockColumn)] as const,
    );
    return (outbox, block) => {
      for (const [table, rowsOf] of blocks) this.#collect(outbox, table, rowsOf.get(block) ?? []);
    };
  }

  #collect(outbox: Outbox<S>, table: EventTable, rows: readonly AnyRow[]): void {
    const matched = new Map<Feed<S>, SharedValue[]>();
    const print = this.#printerOf(table);
    for (const row of rows) {
      const feeds = this.#index.matching(table, row);
      if (feeds.length > 0) addTo(matched, feeds, new SharedValue(print(row)));
    }
    for (const [{ followers }, values] of matched) outbox.addAll(followers, values);
  }

  #printerOf(table: EventTable): RecordPrinter {
    const print = this.#printers.get(table) ?? recordPrinter(tableOf(table));
    this.#printers.set(table, print);
    return print;
  }
}

function addTo<K, V>(lists: Map<K, V[]>, keys: readonly K[], value: V): void {
  for (const key of keys) {
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [value]);
    else list.push(value);
  }
}

function byBlock(rows: readonly AnyRow[], column: string): Map<unknown, AnyRow[]> {
  const blocks = new Map<unknown, AnyRow[]>();
  for (const row of rows) {
    const known = blocks.get(row[column]);
    if (known === undefined) blocks.set(row[column], [row]);
    else known.push(row);
  }
  return blocks;
}
