import { setImmediate as nextIteration } from "node:timers/promises";
import { answerExpression } from "../../engine-sql/column-types.ts";
import { type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Column } from "../../schema/column.ts";
import { textAt } from "../../storage/rows/row-reader.ts";
import type { CanonicalValue } from "../values/value-kind.ts";
import type { SortKeys } from "./sort-keys.ts";

/** Prints a value, which is not null, as text that `keysByGroup` reads. */
export function groupText({ kind }: Column, value: Sql): Sql {
  return sql`CAST(${answerExpression(kind, sql`assumeNotNull(${value})`, "rest")} AS String)`;
}

/** Number of rows that are read before the event loop handles other events: about a millisecond's work. */
const ROWS_AT_ONCE = 5_000;

/**
 * Returns the sort keys of each group, in their order, from rows in RowBinary. Each row is a sort key of
 * `keyBytes` bytes, followed by the text of the group.
 */
export async function keysByGroup(
  rows: Buffer,
  keyBytes: number,
  { kind }: Column,
): Promise<Map<CanonicalValue, SortKeys>> {
  const found = new Map<string, Buffer[]>();
  let count = 0;
  for (let at = 0; at < rows.length; ) {
    if (++count % ROWS_AT_ONCE === 0) await nextIteration();
    const { start, length } = textAt(rows, at + keyBytes);
    const end = start + length;
    // Most groups are hex. One byte for each character is read faster than UTF-8.
    const group = rows.toString("latin1", start, end);
    const keys = found.get(group);
    const key = rows.subarray(at, at + keyBytes);
    if (keys === undefined) found.set(group, [key]);
    else keys.push(key);
    at = end;
  }
  const canonical = (group: string) => {
    const text = Buffer.from(group, "latin1").toString("utf8");
    return kind === "double" ? String(Number(text)) : text;
  };
  return new Map([...found].map(([group, keys]) => [canonical(group), Buffer.concat(keys)]));
}
