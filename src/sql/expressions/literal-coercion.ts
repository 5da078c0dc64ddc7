import { isHex } from "../../lib/hex.ts";
import { quotedText } from "../syntax/source-text.ts";
import { type Position, SqlError } from "../syntax/sql-error.ts";
import { parseIsoTime } from "../types/time-text.ts";
import { DOUBLE, isNumber, TIME, type ValueType } from "../types/value-type.ts";
import { type CheckedExpression, type LiteralValue, literal } from "./checked-expression.ts";
import { fitsInteger, integerLiteral } from "./integers.ts";

/** An operand of a comparison, with the client's text for it. */
export interface Operand {
  value: CheckedExpression;
  readonly text: string;
  at: Position;
}

/** Reads a literal as the type of the value that it is compared with. Returns any other operand unchanged. */
export function coerceLiteral(operand: Operand, other: CheckedExpression): CheckedExpression {
  const { value } = operand;
  if (value.node !== "literal") return value;
  if (value.type.kind === "text") return readText(String(value.value), other.type, operand);
  const isTime = other.type.kind === "time" && isNumber(value.type);
  return isTime && other.node !== "literal" ? literal(unixSeconds(value.value, operand), TIME) : value;
}

function readText(text: string, type: ValueType, operand: Operand): CheckedExpression {
  if (isNumber(type)) return readNumber(text, operand);
  if (type.kind === "time") return literal(readTime(text, operand), TIME);
  if (type.kind === "bytes") return literal(readBytes(text, type.lengths, operand), type);
  return operand.value;
}

const WHOLE = /^[+-]?\d{1,78}$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function readNumber(text: string, { at }: Operand): CheckedExpression {
  const whole = WHOLE.test(text) ? BigInt(text.replace("+", "")) : null;
  if (whole !== null && fitsInteger(whole)) return integerLiteral(whole);
  if (DECIMAL.test(text) && Number.isFinite(Number(text))) return literal(Number(text), DOUBLE);
  throw new SqlError(at, `expected a number, found the text ${shorten(text)}`);
}

function readBytes(text: string, lengths: readonly number[] | null, { at }: Operand): string {
  const expected = lengths === null ? "hex bytes" : `${lengths.join(" or ")} hex bytes`;
  if (!/^0x[0-9a-f]*$/i.test(text)) {
    throw new SqlError(at, `expected ${expected} as '0x…', found the text ${shorten(text)}`);
  }
  if (!isHex(text.toLowerCase())) {
    throw new SqlError(at, `${shorten(text)} has an odd number of hex digits: two make a byte`);
  }
  const length = text.length / 2 - 1;
  if (lengths !== null && !lengths.includes(length)) {
    const hint =
      length === 20 && lengths.includes(32) ? "; an address in a topic has 24 zeros before it" : "";
    throw new SqlError(at, `expected ${expected}, found ${length} in ${shorten(text)}${hint}`);
  }
  return text.toLowerCase();
}

export function readTime(text: string, operand: Operand): number {
  if (/^-?\d+(?:\.\d+)?$/.test(text) && !/^\d{4}$/.test(text)) return unixSeconds(Number(text), operand);
  const time = parseIsoTime(text);
  if (time !== null) return time;
  throw new SqlError(
    operand.at,
    `${shorten(text)} is not a time: write '2024-01-31', '2024-01-31T12:00:00Z', unix seconds, or NOW() - INTERVAL 7 DAY`,
  );
}

/** Unix time in the year 5138; a larger number is probably in milliseconds. */
const LARGEST_SECONDS = 1e11;

function unixSeconds(value: LiteralValue, { at, text }: Operand): number {
  const seconds = Number(value);
  if (Math.abs(seconds) < LARGEST_SECONDS) return seconds;
  throw new SqlError(at, `${text} is too large for unix seconds: times are in seconds, not milliseconds`);
}

function shorten(text: string): string {
  return quotedText(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
