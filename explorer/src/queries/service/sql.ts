/** A piece of SQL that stands in a query as it is. */
export interface SqlText {
  sql: string;
}

/**
 * SQL with its values in place: texts quoted, numbers as they are, pieces of SQL unchanged. What a visitor typed is
 * always a value, so that it can be nothing but a text.
 */
export function sqlText(parts: TemplateStringsArray, ...values: (string | number | SqlText)[]): SqlText {
  return { sql: parts.map((part, i) => part + (i < values.length ? printed(values[i]) : "")).join("") };
}

/** A table of a chain: `eth_dex_trades`. */
export function table(chain: string, name: string): SqlText {
  return { sql: `"${`${chain}_${name}`.replaceAll('"', '""')}"` };
}

/** The columns of a SELECT. */
export function columnsOf(names: readonly string[]): SqlText {
  return { sql: names.join(", ") };
}

/** Values of an IN list. */
export function listOf(values: readonly (string | number)[]): SqlText {
  return { sql: values.map(printed).join(", ") };
}

function printed(value: string | number | SqlText | undefined): string {
  if (typeof value === "object") return value.sql;
  return typeof value === "number" ? String(value) : `'${(value ?? "").replaceAll("'", "''")}'`;
}
