import { INDEX_LINES, type RecordNumbering } from "../schema/record-index.ts";
import { integer, join, type Sql, sql } from "./sql-text.ts";

/** Prints the record index of the first row of a block (`firstRecordIndex()`). */
export function firstRecordIndexSql(numbering: RecordNumbering, block: Sql): Sql {
  const lines = INDEX_LINES[numbering].map(
    ({ base, rows }) => sql`toUInt64(${integer(base)} + (${block}) * ${integer(rows)})`,
  );
  return lines.length === 1 ? sql`${join(lines)}` : sql`least(${join(lines)})`;
}
