import { MAX_TIMESTAMP } from "../../engine-sql/column-types.ts";
import { hexText, integer, sql, text } from "../../engine-sql/sql-text.ts";
import { DOUBLE, integerType, SAFE_BITS, TEXT, TIME } from "../types/value-type.ts";
import { apply, type CheckedExpression, type Operation } from "./checked-expression.ts";
import { toInteger } from "./integers.ts";

/**
 * Decodes text. A function of dictionary-encoded text returns dictionary-encoded text, which some engine
 * functions reject.
 */
const PLAIN_TEXT: Operation = {
  name: "plain-text",
  print: (value) => sql`CAST(${value} AS Nullable(String))`,
  longest: ([bytes = 0]) => bytes,
  isPart: true,
};

/** Returns text, or hex bytes as text, in a form that every function of the engine accepts. */
export function plainText(value: CheckedExpression): CheckedExpression {
  if (value.type.kind === "bytes") return toHexText(value);
  return value.type.kind === "text" && value.type.dictionary ? apply(PLAIN_TEXT, TEXT, value) : value;
}

const HEX_TEXT: Operation = {
  name: "hex-text",
  print: hexText,
  longest: ([bytes = 0]) => 2 + 2 * bytes,
  isPart: true,
};

export const toHexText = (value: CheckedExpression) => apply(HEX_TEXT, TEXT, value);

/**
 * Returns whether a value is stored text, stored bytes as hex, or a part of one of these, rather than text
 * that a function has composed.
 */
export function isStoredText(value: CheckedExpression): boolean {
  if (value.node !== "apply") return value.node === "column";
  const [whole] = value.operands;
  return value.operation.isPart === true && whole !== undefined && isStoredText(whole);
}

/**
 * Maximum number of bits, without the sign, of whole numbers converted from other types. A value that does
 * not fit becomes null.
 */
export const LONG_BITS = 63;

const DOUBLE_TO_INTEGER: Operation = {
  name: "double-to-integer",
  print: (value) => sql`accurateCastOrNull(${value}, 'Int64')`,
};

export function doubleToInteger(value: CheckedExpression): CheckedExpression {
  return apply(DOUBLE_TO_INTEGER, integerType(LONG_BITS), value);
}

const UNIX_SECONDS: Operation = {
  name: "unix-seconds",
  print: (time) => sql`toUnixTimestamp(${time})`,
};

/** Converts a time to unix seconds, for casts and for comparisons with computed numbers. */
export function toUnixSeconds(time: CheckedExpression): CheckedExpression {
  return apply(UNIX_SECONDS, integerType(SAFE_BITS), time);
}

const ENGINE_TIME = text("DateTime('UTC')");
/** The clamp keeps numbers beyond the range of times from wrapping around. */
const SECONDS_TO_TIME: Operation = {
  name: "seconds-to-time",
  weight: 5,
  print: (value) =>
    sql`accurateCastOrNull(toInt64(clamp(${value}, -1, ${integer(MAX_TIMESTAMP + 1)})), ${ENGINE_TIME})`,
};

/** Converts unix seconds to a time. The result is null if it cannot be stored. */
export function toTime(seconds: CheckedExpression): CheckedExpression {
  if (seconds.type.kind === "double") return toTime(doubleToInteger(floor(seconds)));
  const bits = seconds.type.kind === "integer" ? Math.max(seconds.type.bits, LONG_BITS) : LONG_BITS;
  return apply(SECONDS_TO_TIME, TIME, toInteger(seconds, bits));
}

const FLOOR: Operation = { name: "floor", print: (value) => sql`floor(${value})` };
const floor = (value: CheckedExpression) => apply(FLOOR, DOUBLE, value);
