import { MAX_TIMESTAMP } from "../../engine-sql/column-types.ts";
import { SqlError } from "../syntax/sql-error.ts";
import type { ComparisonSign } from "../syntax/syntax-tree.ts";
import type { CheckedExpression } from "./checked-expression.ts";
import type { Operand } from "./literal-coercion.ts";

/** Throws SqlError for a literal time that cannot be stored; returns any other value. */
export function requireStorable(value: CheckedExpression, { at, text }: Operand): CheckedExpression {
  if (value.node !== "literal" || value.type.kind !== "time") return value;
  const seconds = Number(value.value);
  if (isStorable(seconds)) return value;
  if (isStorable(Math.floor(seconds))) {
    throw new SqlError(
      at,
      `${text} has a fraction, and times are whole seconds: round it, or compare with it directly`,
    );
  }
  throw new SqlError(at, `${text} is outside the years 1970 to 2106, the range of times`);
}

export function requireStorableTime(seconds: number, { at, text }: Operand): void {
  if (isStorable(seconds)) return;
  throw new SqlError(at, `no time equals ${text}: times are whole seconds from 1970 to 2106`);
}

export function isStorable(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_TIMESTAMP;
}

/** Returns the equivalent comparison with a time that the engine can store. */
export function storableBound(sign: ComparisonSign, seconds: number): [ComparisonSign, number] {
  if (isStorable(seconds)) return [sign, seconds];
  if (sign === ">" || sign === ">=") {
    const first = sign === ">" ? Math.floor(seconds) + 1 : Math.ceil(seconds);
    return first > MAX_TIMESTAMP ? [">", MAX_TIMESTAMP] : [">=", Math.max(first, 0)];
  }
  const last = sign === "<" ? Math.ceil(seconds) - 1 : Math.floor(seconds);
  return last < 0 ? ["<", 0] : ["<=", Math.min(last, MAX_TIMESTAMP)];
}
