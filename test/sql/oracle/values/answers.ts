import { dateOf } from "./calendar.ts";
import type { Type, Value } from "./types.ts";

/** Returns a value as answers show it. */
export function answerOf(value: Value, { kind }: Type): string | number | boolean | null {
  if (value === null) return null;
  if (kind === "time") return dateOf(Number(value)).toISOString();
  if (typeof value !== "bigint") return value;
  return kind === "amount" || !Number.isSafeInteger(Number(value)) ? String(value) : Number(value);
}

/** Returns the text of a value as answers show it. */
export function textOf(value: NonNullable<Value>, type: Type): string {
  return String(answerOf(value, type)).replace("e+", "e");
}

/** Returns whether two values are equal. Doubles may differ within a relative tolerance. */
export function isLike(a: unknown, b: unknown, distance: number): boolean {
  if (a === b) return true;
  if (typeof a !== "number" || typeof b !== "number") return false;
  return Math.abs(a - b) <= distance * Math.max(Math.abs(a), Math.abs(b));
}
