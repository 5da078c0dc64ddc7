import { MAX_TIMESTAMP } from "../../engine-sql/column-types.ts";
import { isHex } from "../../lib/hex.ts";
import { quotedText } from "../syntax/source-text.ts";
import { type Position, SqlError } from "../syntax/sql-error.ts";
import type { ComparisonSign } from "../syntax/syntax-tree.ts";
import { parseIsoTime } from "../types/time-text.ts";
import { DOUBLE, isNumber, TIME, typeName, type ValueType } from "../types/value-type.ts";
import { type Checked, type LiteralValue, literal } from "./checked-expression.ts";
import { isIn } from "./conditions.ts";
import { comparison, integerLiteral, isWritable, toDouble, toUnixSeconds } from "./operators.ts";

/** An operand of a comparison, with what the client called it. */
export interface Operand {
  value: Checked;
  text: string;
  at: Position;
}

type Literal = Extract<Checked, { node: "literal" }>;

/** `left sign right`, with literals read as the other side's type. Throws SqlError where nothing fits. */
export function compare(sign: ComparisonSign, left: Operand, right: Operand): Checked {
  const [first, second] = unify(left, right);
  if (isBoundable(first) && second.node === "literal") return compareTime(sign, first, right, second);
  if (isBoundable(second) && first.node === "literal") {
    return compareTime(MIRRORED[sign], second, left, first);
  }
  if (first.type.kind === "boolean" && sign !== "=" && sign !== "<>") {
    throw new SqlError(left.at, `conditions compare with = and <> only, found ${sign}`);
  }
  return comparison(sign, first, second);
}

/** A time that the engine can hold, unlike a text that was read as a time, such as half a second. */
function isBoundable({ type, ...value }: Checked): boolean {
  return type.kind === "time" && (value.node !== "literal" || isStorable(Number(value.value)));
}

const MIRRORED: Record<ComparisonSign, ComparisonSign> = {
  "=": "=",
  "<>": "<>",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** `value IN (items)`: every item a literal that the value can equal. */
export function compareIn(value: Operand, items: readonly Operand[]): Checked {
  const literals = items.map((item) => {
    const [left, right] = unify(value, item);
    if (right.node !== "literal") throw new SqlError(item.at, `IN takes values, found ${item.text}`);
    if (left.type.kind === "time") storableTime(Number(right.value), item);
    return right;
  });
  const [left] = unify(value, items[0] ?? value);
  return isIn(left, literals);
}

/** Both sides in types that the engine compares; throws when they are of different sorts. */
function unify(left: Operand, right: Operand): [Checked, Checked] {
  for (const { value, at } of [left, right]) {
    if (value.type.kind === "interval") {
      throw new SqlError(at, "an interval compares with nothing: write a time, as in NOW() - INTERVAL 7 DAY");
    }
  }
  const first = readAs(right.value, left);
  const second = readAs(left.value, right);
  return unifyTypes(first, second) ?? incomparable(left, right);
}

function incomparable(left: Operand, right: Operand): never {
  const sides = [left, right].map(({ value, text }) => `${text} (${typeName(value.type)})`);
  throw new SqlError(right.at, `cannot compare ${sides[0]} with ${sides[1]}`);
}

/** Both in types that the engine compares; null where they are of different sorts. */
export function unifyTypes(first: Checked, second: Checked): [Checked, Checked] | null {
  if (isNumber(first.type) && isNumber(second.type)) return unifyNumbers(first, second);
  if (first.type.kind === "time" && isNumber(second.type)) return [toUnixSeconds(first), second];
  if (second.type.kind === "time" && isNumber(first.type)) return [first, toUnixSeconds(second)];
  if (first.type.kind !== second.type.kind) return null;
  return haveCommonLength(first.type, second.type) ? [first, second] : null;
}

function haveCommonLength(first: ValueType, second: ValueType): boolean {
  if (first.kind !== "bytes" || second.kind !== "bytes") return true;
  const { lengths } = second;
  return (
    first.lengths === null || lengths === null || first.lengths.some((length) => lengths.includes(length))
  );
}

/** Exact sums compare exactly with sums and whole literals; with anything else as doubles. */
function unifyNumbers(first: Checked, second: Checked): [Checked, Checked] {
  const sums = [first, second].filter(({ type }) => type.kind === "sum");
  if (sums.length === 0) return [first, second];
  const [left, right] = [asSum(first), asSum(second)];
  return left !== null && right !== null ? [left, right] : [toDouble(first), toDouble(second)];
}

function asSum(value: Checked): Checked | null {
  if (value.type.kind === "sum") return value;
  const whole = value.node === "literal" && typeof value.value === "bigint" && value.value >= 0n;
  return whole ? literal(value.value, { kind: "sum" }) : null;
}

/** A literal in the type of what it is compared with; everything else as it is. */
export function readAs(other: Checked, operand: Operand): Checked {
  const { value } = operand;
  if (value.node !== "literal") return value;
  if (value.type.kind === "text") return readText(String(value.value), other.type, operand);
  const isTime = other.type.kind === "time" && isNumber(value.type);
  return isTime && other.node !== "literal" ? literal(unixSeconds(value.value, operand), TIME) : value;
}

function readText(text: string, type: ValueType, operand: Operand): Checked {
  if (isNumber(type)) return readNumber(text, operand);
  if (type.kind === "time") return literal(readTime(text, operand), TIME);
  if (type.kind === "bytes") return literal(readBytes(text, type.lengths, operand), type);
  return operand.value;
}

const WHOLE = /^[+-]?\d{1,78}$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function readNumber(text: string, { at }: Operand): Checked {
  const whole = WHOLE.test(text) ? BigInt(text.replace("+", "")) : null;
  if (whole !== null && isWritable(whole)) return integerLiteral(whole);
  if (DECIMAL.test(text) && Number.isFinite(Number(text))) return literal(Number(text), DOUBLE);
  throw new SqlError(at, `expected a number, found the text ${shorten(text)}`);
}

function readBytes(text: string, lengths: readonly number[] | null, { at }: Operand): string {
  const wanted = lengths === null ? "hex bytes" : `${lengths.join(" or ")} hex bytes`;
  if (!/^0x[0-9a-f]*$/i.test(text)) {
    throw new SqlError(at, `expected ${wanted} as '0x…', found the text ${shorten(text)}`);
  }
  if (!isHex(text.toLowerCase())) {
    throw new SqlError(at, `${shorten(text)} has an odd number of hex digits: two make a byte`);
  }
  const length = text.length / 2 - 1;
  if (lengths !== null && !lengths.includes(length)) {
    const hint =
      length === 20 && lengths.includes(32) ? "; an address in a topic has 24 zeros before it" : "";
    throw new SqlError(at, `expected ${wanted}, found ${length} in ${shorten(text)}${hint}`);
  }
  return text.toLowerCase();
}

export function readTime(text: string, operand: Operand): number {
  if (/^-?\d+(?:\.\d+)?$/.test(text) && !/^\d{4}$/.test(text)) return unixSeconds(Number(text), operand);
  const time = parseIsoTime(text);
  if (time !== null) return time;
  throw new SqlError(
    operand.at,
    `${shorten(text)} is no time: write '2024-01-31', '2024-01-31T12:00:00Z', unix seconds, or NOW() - INTERVAL 7 DAY`,
  );
}

/** Seconds of the year 5138; a larger number is meant in milliseconds. */
const LARGEST_SECONDS = 1e11;

function unixSeconds(value: LiteralValue, { at, text }: Operand): number {
  const seconds = Number(value);
  if (Math.abs(seconds) < LARGEST_SECONDS) return seconds;
  throw new SqlError(at, `${text} is too large for unix seconds: times are in seconds, not milliseconds`);
}

function compareTime(sign: ComparisonSign, time: Checked, operand: Operand, bound: Literal): Checked {
  const seconds = Number(bound.value);
  if (sign === "=" || sign === "<>") storableTime(seconds, operand);
  const [nearest, storable] = storableBound(sign, seconds);
  return comparison(nearest, time, literal(storable, TIME));
}

/** A literal that was read as a time and can be stored as one. Throws SqlError where it cannot. */
export function toStorable(value: Checked, { at, text }: Operand): Checked {
  if (value.node !== "literal" || value.type.kind !== "time") return value;
  const seconds = Number(value.value);
  if (isStorable(seconds)) return value;
  if (isStorable(Math.floor(seconds))) {
    throw new SqlError(
      at,
      `${text} has a fraction, and times are whole seconds: round it, or compare with it as it is`,
    );
  }
  throw new SqlError(at, `${text} lies outside the years 1970 to 2106, which can be stored`);
}

function storableTime(seconds: number, { at, text }: Operand): void {
  if (isStorable(seconds)) return;
  throw new SqlError(at, `no time equals ${text}: times are whole seconds from 1970 to 2106`);
}

export function isStorable(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_TIMESTAMP;
}

/** The same comparison with a time that the engine can hold. */
function storableBound(sign: ComparisonSign, seconds: number): [ComparisonSign, number] {
  if (isStorable(seconds)) return [sign, seconds];
  if (sign === ">" || sign === ">=") {
    const first = sign === ">" ? Math.floor(seconds) + 1 : Math.ceil(seconds);
    return first > MAX_TIMESTAMP ? [">", MAX_TIMESTAMP] : [">=", Math.max(first, 0)];
  }
  const last = sign === "<" ? Math.ceil(seconds) - 1 : Math.floor(seconds);
  return last < 0 ? ["<", 0] : ["<=", Math.min(last, MAX_TIMESTAMP)];
}

function shorten(text: string): string {
  return quotedText(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
