/** A fragment of SQL, inserted into a query unchanged. */
export interface SqlText {
  sql: string;
}

/**
 * Inserts values into SQL: strings are quoted, numbers and SQL fragments stay unchanged. User input must be
 * passed as a value, so that it can only be a string literal.
 */
export function sqlText(parts: TemplateStringsArray, ...values: (string | number | SqlText)[]): SqlText {
  return { sql: parts.map((part, i) => part + (i < values.length ? literalOf(values[i]) : "")).join("") };
}

/** Returns the quoted name of a chain's table: `"eth_dex_trades"`. */
export function table(chain: string, name: string): SqlText {
  return { sql: `"${`${chain}_${name}`.replaceAll('"', '""')}"` };
}

/** Returns the column list of a SELECT. */
export function columnsOf(names: readonly string[]): SqlText {
  return { sql: names.join(", ") };
}

/** Returns the values of an IN list. */
export function listOf(values: readonly (string | number)[]): SqlText {
  return { sql: values.map(literalOf).join(", ") };
}

function literalOf(value: string | number | SqlText | undefined): string {
  if (typeof value === "object") return value.sql;
  return typeof value === "number" ? String(value) : `'${(value ?? "").replaceAll("'", "''")}'`;
}
