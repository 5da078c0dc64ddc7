import { identifier, integer, join, rawBytes, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import type { ColumnKind } from "../../schema/column.ts";
import type { Table } from "../../schema/table.ts";

/**
 * The sort key of a record is its values in the columns by which its table is sorted, and its record index, as
 * bytes of a fixed length. They stay bytes on their way from one statement to the next: as JSON, the keys of a
 * large request would occupy the event loop for a tenth of a second.
 */
export type SortKeys = Buffer;

/** The bytes of a column in a sort key. */
interface KeyPart {
  /** Length of the value in RowBinary. */
  bytes: number;
  /** Prints the value of these bytes, which are a string in the engine. */
  read(bytes: Sql): Sql;
}

const KEY_PARTS: Partial<Record<ColumnKind, KeyPart>> = {
  address: { bytes: 20, read: (text) => sql`toFixedString(${text}, 20)` },
  integer: { bytes: 8, read: (text) => sql`reinterpretAsUInt64(${text})` },
  time: { bytes: 4, read: (text) => sql`toDateTime(reinterpretAsUInt32(${text}), 'UTC')` },
};

/** The names of the columns in a table's sort keys. */
export function sortKeyColumns({ order }: Table): string[] {
  return [...order.filter((name) => name !== "record_index"), "record_index"];
}

/** Where the columns of a table are in its sort keys. */
export class SortKeyLayout {
  /** Length of a key. */
  readonly bytes: number;
  readonly #parts: (KeyPart & { name: string; at: number })[] = [];

  constructor(table: Table) {
    let at = 0;
    for (const name of sortKeyColumns(table)) {
      const part = KEY_PARTS[table.columns[name]?.kind ?? "text"];
      if (part === undefined) throw new NotInSortKeys(table.name, name);
      this.#parts.push({ ...part, name, at });
      at += part.bytes;
    }
    this.bytes = at;
  }

  /**
   * Prints the columns whose RowBinary is the sort key.
   *
   * @param stored prints a column of the table
   */
  select(stored: (name: string) => Sql): Sql {
    return join(this.#parts.map(({ name }) => stored(name)));
  }

  /** Prints a condition on a table that holds for the records with these keys. */
  isAmong(keys: SortKeys): Sql {
    const columns = join(this.#parts.map(({ name }) => identifier(name)));
    const values = join(this.#parts.map((part) => valueIn(part, sql`sort_key`)));
    const count = integer(keys.length / this.bytes);
    const length = integer(this.bytes);
    // One condition on all columns of the sort order. Separate conditions would search for every combination of
    // their values, such as every token at every time.
    return sql`(${columns}) IN (SELECT ${values} FROM (
      SELECT arrayJoin(arrayMap(i -> substring(${rawBytes(keys)}, 1 + ${length} * i, ${length}), range(${count}))) AS sort_key))`;
  }

  /** Prints a query for the record index of each key and its rank, from 0. */
  ranked(keys: SortKeys): Sql {
    const last = this.#parts.at(-1);
    if (last === undefined) throw new BaseError("internal", "a sort key has no columns");
    const count = keys.length / this.bytes;
    const indexes = Buffer.allocUnsafe(count * last.bytes);
    for (let i = 0; i < count; i++)
      keys.copy(indexes, i * last.bytes, i * this.bytes + last.at, (i + 1) * this.bytes);
    const length = integer(last.bytes);
    const index = sql`substring(${rawBytes(indexes)}, 1 + ${length} * rank, ${length})`;
    return sql`SELECT ${last.read(index)} AS record_index, rank
      FROM (SELECT arrayJoin(range(${integer(count)})) AS rank)`;
  }
}

function valueIn({ at, bytes, read }: KeyPart & { at: number }, key: Sql): Sql {
  return read(sql`substring(${key}, ${integer(1 + at)}, ${integer(bytes)})`);
}

class NotInSortKeys extends BaseError {
  constructor(table: string, name: string) {
    super("internal", `table ${table} is sorted by ${name}, whose kind has no place in sort keys`);
  }
}
