import { join, sql } from "../../engine-sql/sql-text.ts";
import { BOOLEAN } from "../types/value-type.ts";
import { apply, type CheckedExpression, type Operation } from "./checked-expression.ts";
import { toDouble } from "./doubles.ts";

const AND: Operation = { name: "and", print: (...terms) => sql`(${join(terms, " AND ")})` };
const OR: Operation = { name: "or", print: (...terms) => sql`(${join(terms, " OR ")})` };
const NOT: Operation = { name: "not", print: (condition) => sql`(NOT ${condition})` };
const IN: Operation = { name: "in", print: (value, ...items) => sql`(${value} IN (${join(items)}))` };
/**
 * Gives null for a sum of no values, which is a tuple of nulls. Without this, the engine would report that
 * the tuple is not in the list.
 */
const OF_KNOWN_SUM: Operation = {
  name: "of-known-sum",
  weight: 3,
  print: (sum, condition) => sql`if(isNull(tupleElement(${sum}, 1)), NULL, ${condition})`,
};
const IS_NULL: Operation = { name: "is-null", print: (value) => sql`isNull(${value})` };
const printLike: Operation["print"] = (value, pattern) => sql`(${value} LIKE ${pattern})`;
const printMatch: Operation["print"] = (value, pattern) => sql`match(${value}, ${pattern})`;

/**
 * The figures that determine the time that the engine takes to match a pattern; see `bind/pattern-parts.ts`.
 */
export interface PatternWork {
  /** Maximum number of the pattern's steps at which the matcher may be at once. */
  steps: number;
  /**
   * The number of steps that can be active or inactive independently of the others. With n such steps, the
   * matcher may have to build 2^n states.
   */
  choices: number;
}

/** Size of the states that the matcher can always keep in memory, in bytes, and the size of one state. */
const STATES_BYTES = 4e6;
const bytesOfState = (steps: number) => 500 + 4 * steps;

/**
 * Returns whether the matcher may have more states than it can keep, and has to build them again and again.
 */
const hasManyStates = ({ steps, choices }: PatternWork) => 2 ** choices * bytesOfState(steps) > STATES_BYTES;

/**
 * Returns an upper bound for the time per byte, measured on random strings. With many states, the matcher
 * builds one at almost every byte.
 */
function matchingCost(work: PatternWork): Pick<Operation, "nsPerByte" | "countsRareTexts"> {
  if (!hasManyStates(work)) return { nsPerByte: 2 + work.steps / 4 };
  return { nsPerByte: 1_500 + 2.6 * work.steps, countsRareTexts: true };
}

export const and = (...terms: CheckedExpression[]) => apply(AND, BOOLEAN, ...terms);
export const or = (...terms: CheckedExpression[]) => apply(OR, BOOLEAN, ...terms);
export const not = (condition: CheckedExpression) => apply(NOT, BOOLEAN, condition);

export function isIn(value: CheckedExpression, items: CheckedExpression[]): CheckedExpression {
  const condition = apply(IN, BOOLEAN, value, ...items);
  return value.type.kind === "sum" ? apply(OF_KNOWN_SUM, BOOLEAN, value, condition) : condition;
}

export const like = (value: CheckedExpression, pattern: CheckedExpression, work: PatternWork) =>
  apply({ name: "like", print: printLike, ...matchingCost(work) }, BOOLEAN, value, pattern);
export const matches = (value: CheckedExpression, pattern: CheckedExpression, work: PatternWork) =>
  apply({ name: "matches", print: printMatch, ...matchingCost(work) }, BOOLEAN, value, pattern);

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
