import { dateOf } from "./calendar.ts";
import type { Type, Value } from "./types.ts";

/** A value in its form in answers. */
export function answerOf(value: Value, { kind }: Type): string | number | boolean | null {
  if (value === null) return null;
  if (kind === "time") return dateOf(Number(value)).toISOString();
  if (typeof value !== "bigint") return value;
  return kind === "amount" || !Number.isSafeInteger(Number(value)) ? String(value) : Number(value);
}

/** The text of a value in answers. */
export function textOf(value: NonNullable<Value>, type: Type): string {
  return String(answerOf(value, type)).replace("e+", "e");
}

/** Whether two values are equal; doubles may differ by a relative distance. */
export function isLike(a: unknown, b: unknown, distance: number): boolean {
  if (a === b) return true;
  if (typeof a !== "number" || typeof b !== "number") return false;
  return Math.abs(a - b) <= distance * Math.max(Math.abs(a), Math.abs(b));
}
