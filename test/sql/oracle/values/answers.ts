import { dateOf } from "./calendar.ts";
import type { Type, Value } from "./types.ts";

/** A value as answers show it. */
export function answerOf(value: Value, { sort }: Type): string | number | boolean | null {
  if (value === null) return null;
  if (sort === "time") return dateOf(Number(value)).toISOString();
  if (typeof value !== "bigint") return value;
  return sort === "amount" || !Number.isSafeInteger(Number(value)) ? String(value) : Number(value);
}

/** The text that stands for a value in answers. */
export function textOf(value: NonNullable<Value>, type: Type): string {
  return String(answerOf(value, type)).replace("e+", "e");
}

/** Whether two values are equal; of doubles, up to a distance in proportion to them. */
export function isLike(a: unknown, b: unknown, distance: number): boolean {
  if (a === b) return true;
  if (typeof a !== "number" || typeof b !== "number") return false;
  return Math.abs(a - b) <= distance * Math.max(Math.abs(a), Math.abs(b));
}
