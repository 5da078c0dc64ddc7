import type { Column, ColumnKind } from "../schema/column.ts";
import { hexText, type Sql, sql } from "./sql-text.ts";

const ENGINE_TYPES: Record<ColumnKind, string> = {
  address: "FixedString(20)",
  pool_id: "String",
  hash: "FixedString(32)",
  bytes: "String",
  text: "String",
  label: "LowCardinality(String)",
  integer: "UInt64",
  uint64: "UInt64",
  small: "UInt8",
  wei: "UInt256",
  amount: "UInt256",
  double: "Float64",
  time: "DateTime('UTC')",
};

/** Latest time that can be stored (2106-02-07), because times are whole seconds in 32 bits. */
export const MAX_TIMESTAMP = 2 ** 32 - 1;

/** Returns the engine's type of a column, for DDL and for reading encoded rows. */
export function engineType(column: Column): Sql {
  const type = ENGINE_TYPES[column.kind];
  if (!column.nullable) return type as Sql;
  return (column.kind === "label" ? "LowCardinality(Nullable(String))" : `Nullable(${type})`) as Sql;
}

/**
 * The interface for which an answer is printed: times are ISO 8601 text in SQL answers and unix seconds
 * elsewhere.
 */
export type AnswerForm = "sql" | "rest";

/**
 * Settings of every engine connection: 64-bit integers are numbers in JSON, the digits of a number that is
 * too large for JSON stay text, and aggregates lose no rows.
 */
export const ANSWER_SETTINGS = {
  output_format_json_quote_64bit_integers: 0,
  cast_string_to_variant_use_inference: 0,
  // The engine (26.7) rewrites `count(if(c, NULL, x))` to `countIf(x, NOT c)`, which drops rows where c is
  // null.
  optimize_rewrite_aggregate_function_with_if: 0,
} as const;

/** Prints the expression that converts a stored value to its form in answers; null stays null. */
export function answerExpression(kind: ColumnKind, value: Sql, form: AnswerForm): Sql {
  switch (kind) {
    case "address":
    case "pool_id":
    case "hash":
    case "bytes":
      return hexText(value);
    case "amount":
      return sql`toString(${value})`;
    case "uint64":
    case "wei":
      return sql`if(${value} <= 9007199254740991, CAST(toUInt64(${value}) AS Variant(String, UInt64)), CAST(toString(${value}) AS Variant(String, UInt64)))`;
    case "time":
      return form === "sql"
        ? sql`formatDateTime(${value}, '%Y-%m-%dT%H:%i:%S.000Z')`
        : sql`toUnixTimestamp(${value})`;
    default:
      return value;
  }
}
