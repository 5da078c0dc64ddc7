import { BaseError } from "../lib/error.ts";
import { isHex } from "../lib/hex.ts";

declare const printed: unique symbol;

/**
 * Text in the engine's SQL. The functions of this module create it, so no value from outside can become
 * syntax: values enter as literals of a known type, and names as checked identifiers.
 */
export type Sql = string & { readonly [printed]: true };

/** Joins SQL pieces: sql`SELECT ${identifier(name)} FROM t`. Every value in braces must itself be Sql. */
export function sql(texts: TemplateStringsArray, ...parts: Sql[]): Sql {
  let [text = ""] = texts;
  for (let i = 0; i < parts.length; i++) text += `${parts[i]}${texts[i + 1]}`;
  return text as Sql;
}

/** Joins pieces with a separator, which must come from the program, never from a client. */
export function join(parts: readonly Sql[], separator = ", "): Sql {
  return parts.join(separator) as Sql;
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Returns whether `identifier` accepts a name. */
export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name);
}

/**
 * Quotes one of our own table or column names. Throws if it has anything but letters, digits and underscores.
 */
export function identifier(name: string): Sql {
  if (!isIdentifier(name)) throw new UnprintableValue(`not an identifier: ${JSON.stringify(name)}`);
  return `\`${name}\`` as Sql;
}

/**
 * Quotes the name of an answer's column. The name may be any text, and is escaped byte by byte like a string
 * literal.
 */
export function outputName(name: string): Sql {
  return `\`${escaped(name)}\`` as Sql;
}

/**
 * Prints a string literal. Everything but letters, digits and harmless characters is escaped byte by byte.
 */
export function text(value: string): Sql {
  return `'${escaped(value)}'` as Sql;
}

const NOT_PLAIN = /[^A-Za-z0-9 _.,:;/@%*()=+<>?!#$&|~^[\]{}-]+/gu;

function escaped(value: string): string {
  return value.replace(NOT_PLAIN, (chars) => {
    let escapes = "";
    for (const byte of Buffer.from(chars, "utf8")) escapes += BYTE_ESCAPES[byte];
    return escapes;
  });
}

const BYTE_ESCAPES = Array.from({ length: 256 }, (_, byte) => `\\x${byte.toString(16).padStart(2, "0")}`);

/** Prints a whole number: a safe integer or a bigint. */
export function integer(value: number | bigint): Sql {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new UnprintableValue(`not a safe integer: ${value}`);
  }
  return String(value) as Sql;
}

/** Prints a time, given in unix seconds. */
export function time(timestamp: number): Sql {
  return sql`toDateTime(${integer(timestamp)}, 'UTC')`;
}

/**
 * Prints a finite double in the shortest form that reads back the same. The engine reads digits without a
 * point or an exponent as an integer, so these get a point.
 */
export function double(value: number): Sql {
  if (!Number.isFinite(value)) throw new UnprintableValue(`not a finite number: ${value}`);
  const digits = Object.is(value, -0) ? "-0" : String(value);
  return (/[.e]/.test(digits) ? digits : `${digits}.`) as Sql;
}

/** Prints raw bytes from `0x…` text. Addresses and hashes are stored in this form. */
export function hexBytes(hex: string): Sql {
  if (!isHex(hex)) throw new UnprintableValue(`not hex bytes: ${JSON.stringify(hex.slice(0, 80))}`);
  return `unhex('${hex.slice(2).toLowerCase()}')` as Sql;
}

/** Prints raw bytes. */
export function rawBytes(bytes: Buffer): Sql {
  return `unhex('${bytes.toString("hex")}')` as Sql;
}

/** Like `hexBytes`, but prints a literal: in `VALUES`, the engine reads expressions far more slowly. */
export function bytesLiteral(hex: string): Sql {
  if (!isHex(hex)) throw new UnprintableValue(`not hex bytes: ${JSON.stringify(hex.slice(0, 80))}`);
  return `'${hex.slice(2).replace(/../g, "\\x$&")}'` as Sql;
}

/** Prints an expression for the `0x…` text of stored bytes. Several values are concatenated. */
export function hexText(...values: Sql[]): Sql {
  return sql`concat('0x', ${join(values.map((value) => sql`lower(hex(${value}))`))})`;
}

/**
 * Prints an array of byte strings as one literal. They are of type FixedString if `bytes` is given. The
 * engine reads the literal 13 times as fast as separate literals, and thousands of addresses stay below its
 * limit on query size.
 */
export function hexBytesArray(hexes: readonly string[], bytes?: number): Sql {
  for (const hex of hexes) {
    if (!isHex(hex, bytes)) throw new UnprintableValue(`not hex bytes: ${JSON.stringify(hex.slice(0, 80))}`);
  }
  const element = bytes === undefined ? "String" : `FixedString(${bytes})`;
  if (hexes.length === 0) return `CAST([] AS Array(${element}))` as Sql;
  const joined = hexes.map((hex) => hex.slice(2).toLowerCase()).join(",");
  const value = bytes === undefined ? "unhex(h)" : `toFixedString(unhex(h), ${bytes})`;
  return `arrayMap(h -> ${value}, splitByChar(',', '${joined}'))` as Sql;
}

/** Prints an array of strings as one literal. An element may be any string. */
export function textArray(values: readonly string[]): Sql {
  return hexBytesArray(values.map((value) => `0x${Buffer.from(value, "utf8").toString("hex")}`));
}

type IntegerType = "UInt8" | "UInt32" | "UInt64" | "UInt256";

/** Prints an array of whole numbers as one literal. */
export function integerArray(values: readonly (number | bigint)[], type: IntegerType): Sql {
  if (values.length === 0) return `CAST([] AS Array(${type}))` as Sql;
  return `arrayMap(n -> to${type}(n), splitByChar(',', '${values.map(integer).join(",")}'))` as Sql;
}

/** Prints an array of times, given in unix seconds, as one literal. */
export function timeArray(values: readonly number[]): Sql {
  return `arrayMap(n -> toDateTime(n, 'UTC'), ${integerArray(values, "UInt32")})` as Sql;
}

/**
 * Prints an array of doubles as one literal, bit by bit, because the engine may read the last bit of a
 * decimal incorrectly.
 */
export function doubleArray(values: readonly number[]): Sql {
  const hexes = values.map((value) => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return `0x${bytes.toString("hex")}`;
  });
  return `arrayMap(b -> reinterpretAsFloat64(b), ${hexBytesArray(hexes)})` as Sql;
}

class UnprintableValue extends BaseError {
  constructor(message: string) {
    super("internal", message);
  }
}
