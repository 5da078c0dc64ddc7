import { type Sql, sql } from "../../engine-sql/sql-text.ts";
import { SqlError } from "../syntax/sql-error.ts";
import type { ComparisonSign } from "../syntax/syntax-tree.ts";
import { BOOLEAN, isNumber, TIME, typeName, type ValueType } from "../types/value-type.ts";
import { apply, type CheckedExpression, literal } from "./checked-expression.ts";
import { isIn, or } from "./conditions.ts";
import { toUnixSeconds } from "./conversions.ts";
import { toDouble } from "./doubles.ts";
import { coerceLiteral, type Operand } from "./literal-coercion.ts";
import { isStorable, requireStorableTime, storableBound } from "./stored-times.ts";

type Literal = Extract<CheckedExpression, { node: "literal" }>;

/**
 * Compares two operands, with literals read as the other side's type. Throws SqlError if the types do not
 * fit.
 */
export function compare(sign: ComparisonSign, left: Operand, right: Operand): CheckedExpression {
  const [first, second] = unify(left, right);
  if (isStoredTime(first) && second.node === "literal") return compareTime(sign, first, right, second);
  if (isStoredTime(second) && first.node === "literal") {
    return compareTime(MIRRORED[sign], second, left, first);
  }
  if (first.type.kind === "boolean" && sign !== "=" && sign !== "<>") {
    throw new SqlError(left.at, `conditions can be compared with = and <> only, found ${sign}`);
  }
  return comparison(sign, first, second);
}

/**
 * Returns whether a value is a time that the engine can store. A literal may be one that it cannot store,
 * such as half a second.
 */
function isStoredTime({ type, ...value }: CheckedExpression): boolean {
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

/**
 * Returns the condition `value IN (items)`. Throws SqlError unless every item is a literal that the value can
 * equal.
 */
export function compareIn(value: Operand, items: readonly Operand[]): CheckedExpression {
  const lists = new Map<ValueType["kind"], { left: CheckedExpression; literals: CheckedExpression[] }>();
  for (const item of items) {
    if (item.value.node !== "literal") throw new SqlError(item.at, `IN takes values, found ${item.text}`);
    const [left, right] = unify(value, item);
    if (left.type.kind === "time" && right.node === "literal") requireStorableTime(Number(right.value), item);
    const list = lists.get(left.type.kind) ?? { left, literals: [] };
    lists.set(left.type.kind, list);
    list.literals.push(right);
  }
  // A sum is compared with whole numbers exactly, and with other numbers as a double.
  const conditions = [...lists.values()].map(({ left, literals }) => isIn(left, literals));
  return conditions.reduce((first, other) => or(first, other));
}

/** Converts both sides to types that the engine can compare. Throws SqlError if they cannot be compared. */
function unify(left: Operand, right: Operand): [CheckedExpression, CheckedExpression] {
  for (const { value, at } of [left, right]) {
    if (value.type.kind === "interval") {
      throw new SqlError(at, "an interval cannot be compared: write a time, as in NOW() - INTERVAL 7 DAY");
    }
  }
  const first = coerceLiteral(left, right.value);
  const second = coerceLiteral(right, left.value);
  return unifyTypes(first, second) ?? incomparable(left, right);
}

function incomparable(left: Operand, right: Operand): never {
  const sides = [left, right].map(({ value, text }) => `${text} (${typeName(value.type)})`);
  throw new SqlError(right.at, `cannot compare ${sides[0]} with ${sides[1]}`);
}

/** Converts both values to types that the engine can compare. Returns null if they cannot be compared. */
export function unifyTypes(
  first: CheckedExpression,
  second: CheckedExpression,
): [CheckedExpression, CheckedExpression] | null {
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

/**
 * Unifies numbers: exact sums are compared exactly with sums and whole literals, and as doubles with other
 * numbers.
 */
function unifyNumbers(
  first: CheckedExpression,
  second: CheckedExpression,
): [CheckedExpression, CheckedExpression] {
  const sums = [first, second].filter(({ type }) => type.kind === "sum");
  if (sums.length === 0) return [first, second];
  const [left, right] = [asSum(first), asSum(second)];
  return left !== null && right !== null ? [left, right] : [toDouble(first), toDouble(second)];
}

function asSum(value: CheckedExpression): CheckedExpression | null {
  if (value.type.kind === "sum") return value;
  const whole = value.node === "literal" && typeof value.value === "bigint" && value.value >= 0n;
  return whole ? literal(value.value, { kind: "sum" }) : null;
}

function compareTime(
  sign: ComparisonSign,
  time: CheckedExpression,
  operand: Operand,
  bound: Literal,
): CheckedExpression {
  const seconds = Number(bound.value);
  if (sign === "=" || sign === "<>") requireStorableTime(seconds, operand);
  const [nearest, storable] = storableBound(sign, seconds);
  return comparison(nearest, time, literal(storable, TIME));
}

const COMPARISON: Record<ComparisonSign, (left: Sql, right: Sql) => Sql> = {
  "=": (left, right) => sql`(${left} = ${right})`,
  "<>": (left, right) => sql`(${left} != ${right})`,
  "<": (left, right) => sql`(${left} < ${right})`,
  "<=": (left, right) => sql`(${left} <= ${right})`,
  ">": (left, right) => sql`(${left} > ${right})`,
  ">=": (left, right) => sql`(${left} >= ${right})`,
};

/** Compares values that the engine compares without conversion. */
function comparison(
  sign: ComparisonSign,
  left: CheckedExpression,
  right: CheckedExpression,
): CheckedExpression {
  return apply({ name: sign, print: COMPARISON[sign] }, BOOLEAN, left, right);
}
