import { MAX_TIMESTAMP } from "../../engine-sql/column-types.ts";
import { doubleArray, integerArray, timeArray } from "../../engine-sql/sql-text.ts";
import { type DescribedKind, type StoredKind, textOf } from "./value-kind.ts";

/** Returns a kind of value: an integer that a JSON number can represent. Text is also accepted. */
export function integer({ min, max }: { min: number; max: number }): DescribedKind<number> {
  return {
    allowed: () => `an integer from ${min} to ${max}`,
    parse(given) {
      const value = typeof given === "string" && /^\s*[+-]?\d{1,16}\s*$/.test(given) ? Number(given) : given;
      return isIntegerWithin(value, min, max) ? value : undefined;
    },
    schema: { type: "integer", minimum: min, maximum: max },
  };
}

/** Returns a kind of value: a number in a request. Text is also accepted. */
export function decimal({ min, max }: { min: number; max: number }): DescribedKind<number> {
  return {
    allowed: () => `a number from ${min} to ${max}`,
    parse(given) {
      const value = Number(DOUBLE.parse(given) ?? Number.NaN);
      return value >= min && value <= max ? value : undefined;
    },
    schema: { type: "number", minimum: min, maximum: max },
  };
}

function isIntegerWithin(value: unknown, min: number, max: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

/** A time in a request: clients may send times far in the future, for example in milliseconds. */
export const TIMESTAMP: DescribedKind<number> = {
  ...integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  allowed: () => "a time in unix seconds, an integer from 0 to 2^53 - 1",
};

/** A time that a row can have. */
export const STORED_TIME: StoredKind = {
  ...unsigned("UInt32"),
  allowed: () => `a time in unix seconds, an integer from 0 to ${MAX_TIMESTAMP}`,
  print: (values) => timeArray(values.map(Number)),
};

/** Returns a kind of value: a stored integer of any width. The canonical form is decimal text. */
export function unsigned(type: "UInt8" | "UInt32" | "UInt64" | "UInt256"): StoredKind {
  const bits = Number(type.slice("UInt".length));
  const range = `an integer from 0 to ${bits > 32 ? `2^${bits} - 1` : 2 ** bits - 1}`;
  return {
    allowed: (given) =>
      bits > 53 && hasLostDigits(given)
        ? `${range}, as text if it is 2^53 or more, because JSON numbers lose digits there`
        : range,
    parse(given) {
      if (typeof given === "number" && !Number.isSafeInteger(given)) return undefined;
      const [digits] = /^[0-9]{1,78}$/.exec(textOf(given)?.trim() ?? "") ?? [];
      if (digits === undefined || BigInt(digits) >= 2n ** BigInt(bits)) return undefined;
      return String(BigInt(digits));
    },
    print: (values) => integerArray(values.map(BigInt), type),
  };
}

/**
 * Returns whether digits may be lost: a JSON number from 2^53 on may differ from the number that the client
 * wrote.
 */
function hasLostDigits(given: unknown): boolean {
  return Number.isInteger(given) && !Number.isSafeInteger(given);
}

const DECIMAL = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i;

export const DOUBLE: StoredKind = {
  allowed: () => "a number",
  parse(given) {
    const text = textOf(given)?.trim() ?? "";
    const value = Number(text);
    return DECIMAL.test(text) && Number.isFinite(value) ? String(value) : undefined;
  },
  print: (values) => doubleArray(values.map(Number)),
};
