import { unknown } from "./tokens.ts";
import {
  BYTES,
  type Compiled,
  constant,
  DOUBLE,
  finite,
  isNumeric,
  NULL,
  type Sort,
  TEXT,
  TIME,
  type Value,
  wholeOf,
} from "./types.ts";
import { bitsOf } from "./whole-numbers.ts";

const DATE_AND_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

export function numberLiteral(text: string): Compiled {
  const value = /^-?\d+$/.test(text) ? BigInt(text) : undefined;
  const read =
    value === undefined ? constant(DOUBLE, finite(Number(text))) : constant(wholeOf(bitsOf(value)), value);
  return { ...read, literal: { kind: "number", text } };
}

export const textLiteral = (text: string): Compiled => ({
  ...constant(TEXT, text),
  literal: { kind: "text", text },
});

/** Unix seconds of a text; null where it is no time. */
export function readTime(text: string): number | null {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", zone = "Z"] =
    DATE_AND_TIME.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  const start = Date.parse(`${date}T00:00:00Z`);
  // Of days that a month does not have, JavaScript makes days of the next.
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

/** A compiled expression as a value of a sort; literals are read as it, others must have it. */
export function read(compiled: Compiled, sort: Sort): Compiled {
  const { type, literal } = compiled;
  if (type.sort === "null" || type.sort === sort) return compiled;
  if (literal !== undefined && literal.kind !== "interval") return readLiteral(compiled, literal.text, sort);
  if (sort === "text" && type.sort === "bytes") return { ...compiled, type: TEXT };
  if (isNumeric(type) && sort === "double") return toDouble(compiled);
  if (isNumeric(type) && (sort === "whole" || sort === "amount" || sort === "time")) return compiled;
  throw unknown(`way to read ${type.sort} as ${sort}`);
}

function readLiteral(compiled: Compiled, text: string, sort: Sort): Compiled {
  if (sort === "bytes") return constant(BYTES, text.toLowerCase());
  if (sort === "time") return constant(TIME, known(readTime(text), `time: ${text}`));
  if (sort === "double") return constant(DOUBLE, finite(Number(text)));
  if (sort === "whole" || sort === "amount") return wholeLiteral(text);
  throw unknown(`way to read ${text} as ${sort} instead of ${compiled.type.sort}`);
}

/** 1e30 is exactly that where a whole number is wanted. */
function wholeLiteral(text: string): Compiled {
  const [, sign = "", digits = "", fraction = "", exponent = "0"] =
    /^([+-]?)(\d*)\.?(\d*?)0*(?:[eE]([+-]?\d+))?$/.exec(text.trim()) ?? [];
  if (digits === "" && fraction === "") throw unknown(`number: ${text}`);
  const zeros = Number(exponent) - fraction.length;
  if (zeros < 0) return numberLiteral(text.trim());
  return numberLiteral(`${sign === "-" ? "-" : ""}${digits}${fraction}${"0".repeat(Math.min(zeros, 400))}`);
}

function known(value: Value, what: string): Value {
  if (value === null) throw unknown(what);
  return value;
}

/** A number in double precision. */
export function toDouble(compiled: Compiled): Compiled {
  if (compiled.type.sort === "double") return compiled;
  return {
    type: DOUBLE,
    value(scope) {
      const value = compiled.value(scope);
      return value === null ? null : finite(Number(value));
    },
  };
}

/** A number of any sort; digits in quotes are one. */
export function readNumber(compiled: Compiled): Compiled {
  if (isNumeric(compiled.type) || compiled.type.sort === "null") return compiled;
  if (compiled.literal?.kind === "text") return wholeLiteral(compiled.literal.text);
  throw unknown(`number: ${compiled.type.sort}`);
}

/** The sort of values that are compared with or chosen instead of each other. */
export function commonSort(parts: readonly Compiled[]): Sort {
  const fixed = parts.filter(({ type, literal }) => literal === undefined && type.sort !== "null");
  const literals = parts.filter(({ literal }) => literal !== undefined);
  const sorts = new Set((fixed.length > 0 ? fixed : literals).map(({ type }) => type.sort));
  for (const sort of ["time", "bytes", "condition"] as const) if (sorts.has(sort)) return sort;
  const numeric = parts.filter(({ type }) => isNumeric(type));
  if (numeric.length === 0 || (fixed.length > 0 && sorts.has("text")))
    return sorts.has("text") ? "text" : widest(fixed);
  return widest(numeric);
}

function widest(numbers: readonly Compiled[]): Sort {
  for (const sort of ["double", "amount", "whole"] as const) {
    if (numbers.some(({ type }) => type.sort === sort)) return sort;
  }
  return NULL.sort;
}
