import { unknown } from "../unknown.ts";
import {
  AMOUNT,
  BYTES,
  type Compiled,
  constant,
  DOUBLE,
  finite,
  isNumeric,
  type Kind,
  NULL,
  TEXT,
  TIME,
  type Type,
  type Value,
  wholeOf,
} from "../values/types.ts";
import { bitsOf, MOST_BITS } from "../values/whole-numbers.ts";

const DATE_AND_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * Compiles a number literal. Digits, with or without an exponent, are a whole number, or an amount if they do
 * not fit into a signed whole number.
 */
export function numberLiteral(text: string): Compiled {
  const whole = wholeOfDigits(text);
  const [type, value] = whole === null ? [DOUBLE, finite(Number(text))] : [widthOf(whole), whole];
  return { ...constant(type, value), literal: { kind: "number", text } };
}

function widthOf(whole: bigint): Type {
  const bits = bitsOf(whole);
  return bits > MOST_BITS ? AMOUNT : wholeOf(bits);
}

function wholeOfDigits(text: string): bigint | null {
  const [found, digits = "", exponent = "0"] = /^(-?\d{1,78})(?:e\+?(\d{1,2}))?$/i.exec(text) ?? [];
  if (found === undefined) return null;
  const value = BigInt(digits) * 10n ** BigInt(exponent);
  return bitsOf(value) <= MOST_BITS || (value > 0n && value < 2n ** 256n) ? value : null;
}

export const textLiteral = (text: string): Compiled => ({
  ...constant(TEXT, text),
  literal: { kind: "text", text },
});

/** Parses a time. Returns Unix seconds, or null if the text is not a time. */
export function readTime(text: string): number | null {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", zone = "Z"] =
    DATE_AND_TIME.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  const start = Date.parse(`${date}T00:00:00Z`);
  // JavaScript turns days that do not exist in a month into days of the next month.
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== date) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const inDay = Number(hour) * 3_600 + Number(minute) * 60 + Number(`${second}${fraction}`);
  return start / 1000 + inDay - zoneSeconds(zone);
}

function zoneSeconds(zone: string): number {
  if (zone.toUpperCase() === "Z") return 0;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60);
}

/**
 * Reads a compiled expression as a value of a type. Converts literals to the type. Other expressions must
 * already have it.
 */
export function read(compiled: Compiled, kind: Kind): Compiled {
  const { type, literal } = compiled;
  if (type.kind === "null" || type.kind === kind) return compiled;
  if (literal !== undefined && literal.kind !== "interval") return readLiteral(compiled, literal.text, kind);
  if (kind === "text" && type.kind === "bytes") return { ...compiled, type: TEXT };
  if (isNumeric(type) && kind === "double") return toDouble(compiled);
  if (isNumeric(type) && (kind === "whole" || kind === "amount" || kind === "time")) return compiled;
  throw unknown(`way to read ${type.kind} as ${kind}`);
}

function readLiteral(compiled: Compiled, text: string, kind: Kind): Compiled {
  if (kind === "bytes") return constant(BYTES, text.toLowerCase());
  if (kind === "time") return constant(TIME, known(readTime(text), `time: ${text}`));
  if (kind === "double") return constant(DOUBLE, finite(Number(text)));
  if (kind === "whole" || kind === "amount") return numberLiteral(text.trim());
  throw unknown(`way to read ${text} as ${kind} instead of ${compiled.type.kind}`);
}

function known(value: Value, what: string): Value {
  if (value === null) throw unknown(what);
  return value;
}

/** Converts a number to double precision. */
export function toDouble(compiled: Compiled): Compiled {
  if (compiled.type.kind === "double") return compiled;
  return {
    type: DOUBLE,
    value(scope) {
      const value = compiled.value(scope);
      return value === null ? null : finite(Number(value));
    },
  };
}

/** Reads a number of any type, or digits in quotes. */
export function readNumber(compiled: Compiled): Compiled {
  if (isNumeric(compiled.type) || compiled.type.kind === "null") return compiled;
  if (compiled.literal?.kind === "text") return numberLiteral(compiled.literal.text.trim());
  throw unknown(`number: ${compiled.type.kind}`);
}

/** Returns the common type of values that are compared or chosen from. */
export function commonKind(parts: readonly Compiled[]): Kind {
  const fixed = parts.filter(({ type, literal }) => literal === undefined && type.kind !== "null");
  const literals = parts.filter(({ literal }) => literal !== undefined);
  const sorts = new Set((fixed.length > 0 ? fixed : literals).map(({ type }) => type.kind));
  for (const kind of ["time", "bytes", "condition"] as const) if (sorts.has(kind)) return kind;
  const numeric = parts.filter(({ type }) => isNumeric(type));
  if (numeric.length === 0 || (fixed.length > 0 && sorts.has("text")))
    return sorts.has("text") ? "text" : widest(fixed);
  return widest(numeric);
}

function widest(numbers: readonly Compiled[]): Kind {
  for (const kind of ["double", "amount", "whole"] as const) {
    if (numbers.some(({ type }) => type.kind === kind)) return kind;
  }
  return NULL.kind;
}
