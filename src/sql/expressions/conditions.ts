import { join, sql } from "../../engine-sql/sql-text.ts";
import { BOOLEAN } from "../types/value-type.ts";
import { apply, type CheckedExpression, type Operation } from "./checked-expression.ts";
import { toDouble } from "./doubles.ts";

const AND: Operation = { name: "and", print: (...terms) => sql`(${join(terms, " AND ")})` };
const OR: Operation = { name: "or", print: (...terms) => sql`(${join(terms, " OR ")})` };
const NOT: Operation = { name: "not", print: (condition) => sql`(NOT ${condition})` };
const IN: Operation = { name: "in", print: (value, ...items) => sql`(${value} IN (${join(items)}))` };
const IS_NULL: Operation = { name: "is-null", print: (value) => sql`isNull(${value})` };
const printLike: Operation["print"] = (value, pattern) => sql`(${value} LIKE ${pattern})`;
const printMatch: Operation["print"] = (value, pattern) => sql`match(${value}, ${pattern})`;

/**
 * Returns the measured time for each byte, in nanoseconds, if the engine may follow this many steps of a
 * pattern at once.
 */
const patternNs = (steps: number) => 2 + steps / 4;

export const and = (...terms: CheckedExpression[]) => apply(AND, BOOLEAN, ...terms);
export const or = (...terms: CheckedExpression[]) => apply(OR, BOOLEAN, ...terms);
export const not = (condition: CheckedExpression) => apply(NOT, BOOLEAN, condition);
export const isIn = (value: CheckedExpression, items: CheckedExpression[]) =>
  apply(IN, BOOLEAN, value, ...items);

/** @param steps maximum number of the pattern's steps that the engine may follow at once */
export const like = (value: CheckedExpression, pattern: CheckedExpression, steps: number) =>
  apply({ name: "like", print: printLike, nsPerByte: patternNs(steps) }, BOOLEAN, value, pattern);
export const matches = (value: CheckedExpression, pattern: CheckedExpression, steps: number) =>
  apply({ name: "matches", print: printMatch, nsPerByte: patternNs(steps) }, BOOLEAN, value, pattern);

/** Returns true for AND, OR and NOT. */
export function isConnective({ operation }: Extract<CheckedExpression, { node: "apply" }>): boolean {
  return operation === AND || operation === OR || operation === NOT;
}

/** Returns the terms of an AND, or the condition itself. */
export function conjunctsOf(condition: CheckedExpression | null): readonly CheckedExpression[] {
  if (condition === null) return [];
  const isAnd = condition.node === "apply" && condition.operation === AND;
  return isAnd ? condition.operands.flatMap(conjunctsOf) : [condition];
}

export function isNull(value: CheckedExpression): CheckedExpression {
  return apply(IS_NULL, BOOLEAN, value.type.kind === "sum" ? toDouble(value) : value);
}

/** Negates the condition if the client wrote NOT. */
export function negateIf(negated: boolean, condition: CheckedExpression): CheckedExpression {
  return negated ? not(condition) : condition;
}

/**
 * Translates a LIKE pattern for the engine: the dialect escapes with `escapeChar`, the engine with a
 * backslash. Returns null if the pattern is malformed.
 */
export function likePattern(pattern: string, escapeChar: string): string | null {
  let translated = "";
  let escaped = false;
  for (const char of pattern) {
    if (!escaped && escapeChar !== "" && char === escapeChar) {
      escaped = true;
      continue;
    }
    if (escaped && char !== "%" && char !== "_" && char !== escapeChar) return null;
    const special = char === "\\" || (escaped && char !== escapeChar);
    translated += special ? `\\${char}` : char;
    escaped = false;
  }
  return escaped ? null : translated;
}
