import type { SchemaColumn } from "../query-table.ts";

/** What a column is, in a line: its type, unit and meaning. */
export function columnDoc({ type, unit, nullable, doc }: SchemaColumn): string {
  return `${type}${unit === null ? "" : `, ${unit}`}${nullable ? ", or null" : ""}: ${doc}`;
}
