import type { SqlSchema } from "@quarry/sdk";

export type SchemaTable = SqlSchema["tables"][number];
export type SchemaColumn = SchemaTable["columns"][number];

/** The name behind FROM, or behind DESCRIBE; each may be quoted. */
const TABLE_NAME = /\b(?:from|describe|desc)\s+["`]?([\w-]+)/i;

/** The table that a query reads, as far as it is written; undefined where none is named, or one that is not there. */
export function tableOf(schema: SqlSchema | undefined, query: string): SchemaTable | undefined {
  const name = TABLE_NAME.exec(withoutRemarks(query))?.[1]?.toLowerCase();
  return schema?.tables.find((table) => table.name.toLowerCase() === name);
}

/** Texts and comments blanked out, places kept: what stands in them is no clause. */
function withoutRemarks(query: string): string {
  return query.replace(/'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g, (remark) => " ".repeat(remark.length));
}

/** What a column is, in a line: its type, unit and meaning. */
export function columnDoc({ type, unit, nullable, doc }: SchemaColumn): string {
  return `${type}${unit === null ? "" : `, ${unit}`}${nullable ? ", or null" : ""}: ${doc}`;
}
