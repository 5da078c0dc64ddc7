import { setImmediate as nextIteration } from "node:timers/promises";
import { hexText, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Column } from "../../schema/column.ts";
import type { CanonicalValue } from "../values/value-kind.ts";
import type { SortKeys } from "./sort-keys.ts";

/** Prints a value, which is not null, as text that `keysByGroup` reads. */
export function groupText({ kind }: Column, value: Sql): Sql {
  switch (kind) {
    case "address":
    case "hash":
    case "pool_id":
    case "bytes":
      return hexText(sql`assumeNotNull(${value})`);
    case "time":
      return sql`toString(toUnixTimestamp(assumeNotNull(${value})))`;
    default:
      return sql`CAST(assumeNotNull(${value}) AS String)`;
  }
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
    const { start, end } = textAt(rows, at + keyBytes);
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

/**
 * Returns where the text at a position is. Its length comes first, seven bits per byte, lowest first; the
 * highest bit is set if another byte follows.
 */
function textAt(rows: Buffer, at: number): { start: number; end: number } {
  let length = 0;
  let start = at;
  for (let factor = 1; ; factor *= 128) {
    const byte = rows.readUInt8(start++);
    length += (byte & 127) * factor;
    if (byte < 128) return { start, end: start + length };
  }
}
