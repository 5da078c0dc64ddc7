import type { SqlSchema } from "@quarry/sdk";

export type SchemaTable = SqlSchema["tables"][number];
export type SchemaColumn = SchemaTable["columns"][number];

/** The name after FROM or DESCRIBE, which may be quoted. */
const TABLE_NAME = /\b(?:from|describe|desc)\s+["`]?([\w-]+)/i;

/**
 * Returns the table that a query reads, even if it is unfinished; undefined if it names no table or an
 * unknown one.
 */
export function tableOf(schema: SqlSchema | undefined, query: string): SchemaTable | undefined {
  const name = TABLE_NAME.exec(withoutLiterals(query))?.[1]?.toLowerCase();
  return schema?.tables.find((table) => table.name.toLowerCase() === name);
}

/** Replaces strings and comments with spaces, so that all positions stay the same. */
function withoutLiterals(query: string): string {
  return query.replace(/'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g, (match) => " ".repeat(match.length));
}

/** Returns a line with a column's type, unit and meaning. */
export function columnDoc({ type, unit, nullable, doc }: SchemaColumn): string {
  return `${type}${unit === null ? "" : `, ${unit}`}${nullable ? ", or null" : ""}: ${doc}`;
}
