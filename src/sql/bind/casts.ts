import { answerExpression } from "../../engine-sql/column-types.ts";
import { type Sql, sql } from "../../engine-sql/sql-text.ts";
import { asQuestion, nearestName } from "../../lib/names/suggestion.ts";
import { DAY_SECONDS } from "../../lib/seconds.ts";
import { apply, type CheckedExpression, literal, type Operation } from "../expressions/checked-expression.ts";
import {
  doubleToInteger,
  LONG_BITS,
  plainText,
  toHexText,
  toTime,
  toUnixSeconds,
} from "../expressions/conversions.ts";
import { finite, toDouble } from "../expressions/doubles.ts";
import { printSumDigits } from "../expressions/exact-sums.ts";
import { integerLiteral } from "../expressions/integers.ts";
import { type Operand, readTime } from "../expressions/literal-coercion.ts";
import { roundHalfAway } from "../expressions/rounding.ts";
import { isStorable, requireStorable } from "../expressions/stored-times.ts";
import { SqlError } from "../syntax/sql-error.ts";
import type { Name } from "../syntax/syntax-tree.ts";
import {
  BOOLEAN,
  DOUBLE,
  integerType,
  isNumber,
  TEXT,
  TIME,
  typeName,
  type ValueKind,
} from "../types/value-type.ts";

/** A target type of CAST. */
export interface CastTarget {
  names: readonly string[];
  doc: string;
  /** Converts a value to the type. Returns null if values of the operand's type cannot be converted. */
  convert(operand: Operand): CheckedExpression | null;
}

/** Binds `CAST(value AS type)`. Throws SqlError if the type is unknown or the conversion is impossible. */
export function cast(operand: Operand, target: Name): CheckedExpression {
  const wanted = target.text.toUpperCase();
  const found = CAST_TARGETS.find(({ names }) => names.includes(wanted));
  if (found === undefined) {
    const known = CAST_TARGETS.flatMap(({ names }) => names);
    const suggestion = nearestName(wanted.slice(0, 60), known);
    const advice = asQuestion(suggestion) || `; types: ${known.join(", ")}`;
    const shown = target.text.slice(0, 60);
    throw new SqlError(target.at, `there is no type "${shown}"${advice}`, { found: shown, suggestion });
  }
  const converted = found.convert(operand);
  if (converted !== null) return converted;
  throw new SqlError(
    operand.at,
    `${operand.text} (${typeName(operand.value.type)}) cannot be CAST to ${wanted}, which is ${found.doc}`,
  );
}

type Convert = (value: CheckedExpression, operand: Operand) => CheckedExpression | null;

/** Selects the conversion for the operand's kind. */
function byKind(conversions: Partial<Record<ValueKind, Convert>>): CastTarget["convert"] {
  return (operand) => conversions[operand.value.type.kind]?.(operand.value, operand) ?? null;
}

const same: Convert = (value) => value;

const apply64 = (name: string, print: (value: Sql) => Sql) => {
  const operation: Operation = { name, print };
  return (value: CheckedExpression) => apply(operation, integerType(LONG_BITS), value);
};

const textToInteger = apply64("text-to-integer", (value) => sql`toInt64OrNull(${value})`);
/**
 * Decodes a condition on a dictionary column. Such a condition is itself dictionary-encoded, which some
 * engine functions reject.
 */
const conditionToInteger = apply64("condition-to-integer", (value) => sql`CAST(${value} AS Nullable(Int64))`);

const TEXT_TO_DOUBLE = finite({ name: "text-to-double", print: (value) => sql`toFloat64OrNull(${value})` });
const TO_TEXT: Operation = { name: "to-text", print: (value) => sql`toString(${value})` };
const CONDITION_TO_TEXT: Operation = {
  name: "condition-to-text",
  print: (value) => sql`CAST(toBool(${value}) AS Nullable(String))`,
};
const TIME_TO_TEXT: Operation = {
  name: "time-to-text",
  print: (value) => answerExpression("time", value, "sql"),
};
const IS_NOT_ZERO: Operation = { name: "is-not-zero", print: (value) => sql`(${value} != 0)` };
const TEXT_TO_CONDITION: Operation = {
  name: "text-to-condition",
  copies: 2,
  print: (value) => sql`if(lower(${value}) IN ('true', 'false'), lower(${value}) = 'true', NULL)`,
};
const SUM_TO_TEXT: Operation = { name: "sum-to-text", weight: 8, copies: 4, print: printSumDigits };

function textToTime(value: CheckedExpression, operand: Operand): CheckedExpression {
  if (value.node !== "literal") {
    throw new SqlError(
      operand.at,
      `only a literal string can be CAST to a time, as in CAST('2024-01-31' AS TIMESTAMP), found ${operand.text}`,
    );
  }
  return requireStorable(literal(readTime(String(value.value), operand), TIME), operand);
}

function numberToTime(value: CheckedExpression): CheckedExpression {
  const seconds = value.node === "literal" ? Number(value.value) : Number.NaN;
  return isStorable(seconds) ? literal(seconds, TIME) : toTime(value);
}

const DAY: Operation = { name: "start-of-day", print: (value) => sql`toStartOfDay(${value})` };

function startOfDay(time: CheckedExpression): CheckedExpression {
  if (time.node !== "literal") return apply(DAY, TIME, time);
  return literal(Number(time.value) - (Number(time.value) % DAY_SECONDS), TIME);
}

const toText = (operation: Operation) => (value: CheckedExpression) => apply(operation, TEXT, value);
const toCondition = (operation: Operation) => (value: CheckedExpression) => apply(operation, BOOLEAN, value);

const TIMES: Partial<Record<ValueKind, (value: CheckedExpression, operand: Operand) => CheckedExpression>> = {
  time: (value) => value,
  text: textToTime,
  integer: numberToTime,
  double: numberToTime,
};

function toDate(operand: Operand): CheckedExpression | null {
  const time = TIMES[operand.value.type.kind]?.(operand.value, operand);
  return time === undefined ? null : startOfDay(time);
}

/** All target types of CAST. To add a type, add a row. */
export const CAST_TARGETS: readonly CastTarget[] = [
  {
    names: ["BIGINT", "LONG", "INTEGER", "INT", "SMALLINT", "TINYINT"],
    doc: "an integer: from a double, rounded half away from zero, or from digits in a string, both within 64 bits; integers and amounts are unchanged; conditions become 1 or 0, times unix seconds",
    convert: byKind({
      integer: same,
      amount: same,
      sum: same,
      double: (value) => doubleToInteger(roundHalfAway(value, 0)),
      text: (value) => textToInteger(plainText(value)),
      boolean: (value) =>
        value.node === "literal" ? integerLiteral(value.value === true ? 1n : 0n) : conditionToInteger(value),
      time: (value) =>
        value.node === "literal" ? integerLiteral(BigInt(value.value)) : toUnixSeconds(value),
    }),
  },
  {
    names: ["DOUBLE", "FLOAT", "REAL"],
    doc: "a double, from a number or from a number in a string",
    convert: ({ value }) => {
      if (value.type.kind === "text") return apply(TEXT_TO_DOUBLE, DOUBLE, plainText(value));
      return isNumber(value.type) ? toDouble(value) : null;
    },
  },
  {
    names: ["VARCHAR", "TEXT", "STRING", "KEYWORD"],
    doc: "the value as it appears in results",
    convert: byKind({
      text: same,
      integer: toText(TO_TEXT),
      amount: toText(TO_TEXT),
      double: toText(TO_TEXT),
      sum: toText(SUM_TO_TEXT),
      boolean: toText(CONDITION_TO_TEXT),
      time: toText(TIME_TO_TEXT),
      bytes: toHexText,
    }),
  },
  {
    names: ["TIMESTAMP", "DATETIME"],
    doc: "a time, from unix seconds (rounded down) or from a string such as '2024-01-31T12:00:00Z'",
    convert: byKind(TIMES),
  },
  {
    names: ["DATE"],
    doc: "the start of the day (UTC), from any value that can be CAST to TIMESTAMP",
    convert: toDate,
  },
  {
    names: ["BOOLEAN", "BOOL"],
    doc: "true for numbers other than 0 and for the string 'true'; false for 0 and 'false'; null for other strings",
    convert: byKind({
      boolean: same,
      integer: toCondition(IS_NOT_ZERO),
      amount: toCondition(IS_NOT_ZERO),
      double: toCondition(IS_NOT_ZERO),
      sum: (value) => apply(IS_NOT_ZERO, BOOLEAN, toDouble(value)),
      text: (value) => apply(TEXT_TO_CONDITION, BOOLEAN, plainText(value)),
    }),
  },
];
