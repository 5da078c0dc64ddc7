import {
  doubleArray,
  hexBytesArray,
  integerArray,
  type Sql,
  textArray,
  timeArray,
} from "../../engine-sql/sql-text.ts";
import { isHex } from "../../lib/hex.ts";
import type { Column, ColumnKind } from "../../schema/column.ts";

/** A value as a client gives it: from a URL always text. */
export type GivenValue = string | number;

/**
 * A value in the form in which `String` shows those of an answer: hex in lower case, numbers in shortest form,
 * times in unix seconds.
 */
export type CanonicalValue = string;

/** How values of a column are read, and how they reach the engine. */
interface ValueForm {
  /** Completes "allowed is ...". */
  allowed: string;
  /** Has integers beyond those that a number of JSON can carry. */
  isWide?: boolean;
  /** undefined: no value of the column can be meant. */
  read(given: GivenValue): CanonicalValue | undefined;
  /** The values as one array of the engine's type. */
  print(values: readonly CanonicalValue[]): Sql;
}

const hex = (allowed: string, lengths: readonly number[]): ValueForm => ({
  allowed,
  read(given) {
    const text = String(given).trim().toLowerCase();
    return lengths.some((bytes) => isHex(text, bytes)) ? text : undefined;
  },
  print: (values) => hexBytesArray(values, lengths.length === 1 ? lengths[0] : undefined),
});

const TEXT: ValueForm = {
  allowed: "a text",
  // Half a surrogate pair has no UTF-8: it is stored, and told, as the replacement character.
  read: (given) => Buffer.from(String(given), "utf8").toString("utf8"),
  print: textArray,
};

const whole = (type: "UInt8" | "UInt32" | "UInt64" | "UInt256", what = "an integer"): ValueForm => {
  const bits = Number(type.slice("UInt".length));
  return {
    allowed: `${what} from 0 to ${bits > 32 ? `2^${bits} - 1` : 2 ** bits - 1}`,
    isWide: bits > 53,
    read(given) {
      // A number of JSON beyond 2^53 is another one than was written.
      if (typeof given === "number" && !Number.isSafeInteger(given)) return undefined;
      const [digits] = /^[0-9]{1,78}$/.exec(String(given).trim()) ?? [];
      if (digits === undefined || BigInt(digits) >= 2n ** BigInt(bits)) return undefined;
      return String(BigInt(digits));
    },
    print: (values) => integerArray(values.map(BigInt), type),
  };
};

const DECIMAL = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i;

const DOUBLE: ValueForm = {
  allowed: "a number",
  read(given) {
    const text = String(given).trim();
    const value = Number(text);
    return DECIMAL.test(text) && Number.isFinite(value) ? String(value) : undefined;
  },
  print: (values) => doubleArray(values.map(Number)),
};

const FORMS: Record<ColumnKind, ValueForm> = {
  address: hex("an address, 0x and 40 hex digits", [20]),
  pool_id: hex("a pool, its address (0x and 40 hex digits) or id (0x and 64 hex digits)", [20, 32]),
  hash: hex("0x and 64 hex digits", [32]),
  // Of the columns with bytes only method_id can be asked for.
  bytes: { ...hex("0x and 8 hex digits", [4]), print: (values) => hexBytesArray(values) },
  text: TEXT,
  label: TEXT,
  integer: whole("UInt64"),
  small: whole("UInt8"),
  wei: whole("UInt256"),
  amount: whole("UInt256"),
  double: DOUBLE,
  time: {
    ...whole("UInt32", "a time in unix seconds, an integer"),
    print: (values) => timeArray(values.map(Number)),
  },
};

/** Completes "allowed is ..." for a given value that is not. */
export function allowedValues({ kind }: Column, given: GivenValue): string {
  const { allowed, isWide } = FORMS[kind];
  const hasLostDigits = Number.isInteger(given) && !Number.isSafeInteger(given);
  return isWide && hasLostDigits
    ? `${allowed}, as text above 2^53: a number of JSON has lost digits there`
    : allowed;
}

/** What a given value means in a column; undefined when it has the wrong form. */
export function readValue({ kind }: Column, given: GivenValue): CanonicalValue | undefined {
  return FORMS[kind].read(given);
}

/** Values of a column as one array of the engine's type. */
export function printValues({ kind }: Column, values: readonly CanonicalValue[]): Sql {
  return FORMS[kind].print(values);
}
