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
  small: "UInt8",
  wei: "UInt256",
  amount: "UInt256",
  double: "Float64",
  time: "DateTime('UTC')",
};

/** Times are stored as whole seconds in 32 bits: they end here (2106-02-07). */
export const MAX_TIMESTAMP = 2 ** 32 - 1;

/** The engine's type of a column, for DDL and for reading encoded rows. */
export function engineType(column: Column): Sql {
  const type = ENGINE_TYPES[column.kind];
  if (!column.nullable) return type as Sql;
  return (column.kind === "label" ? "LowCardinality(Nullable(String))" : `Nullable(${type})`) as Sql;
}

/** Where a value goes: times are ISO 8601 text in SQL answers and unix seconds elsewhere. */
export type AnswerForm = "sql" | "rest";

/**
 * Settings that every engine connection runs with: numbers stay numbers in JSON, text that stands for a number too
 * big for JSON stays text, and aggregates lose no rows.
 */
export const ANSWER_SETTINGS = {
  output_format_json_quote_64bit_integers: 0,
  cast_string_to_variant_use_inference: 0,
  // Of `count(if(c, NULL, x))` the engine (26.7) makes `countIf(x, NOT c)`, which leaves out rows where c is null.
  optimize_rewrite_aggregate_function_with_if: 0,
} as const;

/** The engine expression that turns a stored value of a kind into the form that answers carry; keeps null. */
export function answerExpression(kind: ColumnKind, value: Sql, form: AnswerForm): Sql {
  switch (kind) {
    case "address":
    case "pool_id":
    case "hash":
    case "bytes":
      return hexText(value);
    case "amount":
      return sql`toString(${value})`;
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
