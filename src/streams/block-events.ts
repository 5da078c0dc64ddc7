import { type RecordPrinter, recordPrinter } from "../engine-sql/record-printer.ts";
import { type Rows, tableOf } from "../schema/tables.ts";
import { EventIndex, type Subscribed } from "./event-index.ts";
import type { Outbox } from "./outbox.ts";
import { type AnyRow, EVENT_TABLES, type EventTable } from "./subscription.ts";

/** Finds who gets which rows of a block. Each row is printed once, however many subscribers get it. */
export class BlockEvents<S> {
  readonly #index = new EventIndex<S>();
  readonly #printers = new Map<EventTable, RecordPrinter>();

  add(subscribed: Subscribed<S>): void {
    this.#index.add(subscribed);
  }

  remove(subscribed: Subscribed<S>): void {
    this.#index.remove(subscribed);
  }

  /**
   * Adds the rows of one block to the frames of their subscribers.
   *
   * @param rows of one or more blocks
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
    const print = this.#printerOf(table);
    for (const row of rows) {
      let json: string | null = null;
      for (const { subscriber, subscription } of this.#index.matching(table, row)) {
        json ??= print(row);
        outbox.add(subscriber, subscription.id, json);
      }
    }
  }

  #printerOf(table: EventTable): RecordPrinter {
    const print = this.#printers.get(table) ?? recordPrinter(tableOf(table));
    this.#printers.set(table, print);
    return print;
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
