import { join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { expressionText } from "../syntax/source-text.ts";
import { SqlError } from "../syntax/sql-error.ts";
import type { Expression } from "../syntax/syntax-tree.ts";
import {
  AMOUNT,
  BOOLEAN,
  DOUBLE,
  integerType,
  isNumber,
  SUM,
  TEXT,
  typeName,
  type ValueType,
} from "../types/value-type.ts";
import { apply, type CheckedExpression, literal, type Operation } from "./checked-expression.ts";
import { plainText } from "./conversions.ts";
import { toDouble } from "./doubles.ts";
import { printAmountAsSum } from "./exact-sums.ts";
import { toInteger, WIDE_BITS } from "./integers.ts";
import { coerceLiteral, type Operand } from "./literal-coercion.ts";
import { requireStorable } from "./stored-times.ts";

/** A value that a query may choose; `null` if the client wrote NULL. */
export type Alternative = Operand | null;

/** Values of one type, from which the engine can choose. */
export interface Alternatives {
  values: CheckedExpression[];
  type: ValueType;
}

/**
 * Converts the alternatives to a type that fits all of them. Reads literals as the type of the first value
 * that is not a literal.
 *
 * @throws SqlError if there is no such type
 */
export function unifyAlternatives(alternatives: readonly Alternative[], whole: Expression): Alternatives {
  const given = alternatives.filter((alternative) => alternative !== null);
  const leader =
    given.find(({ value }) => value.node !== "literal") ??
    given.find(({ value }) => value.type.kind !== "text") ??
    given[0];
  if (leader === undefined)
    throw new SqlError(whole.at, `every value of ${expressionText(whole)} is NULL: give one that is not`);
  refuseInterval(given);
  const read = new Map(
    given.map((operand) => [operand, requireStorable(coerceLiteral(operand, leader.value), operand)]),
  );
  const values = [...read.values()];
  const first = read.get(leader) ?? leader.value;
  let type = first.type.kind === "text" ? TEXT : first.type;
  const number = commonNumber(values);
  for (const [operand, value] of read) {
    type = commonType(type, value, number) ?? refuseDifferentTypes(leader, operand, given);
  }
  return {
    type,
    values: alternatives.map((alternative) =>
      alternative === null ? nullOf(type) : inType(read.get(alternative) ?? alternative.value, type),
    ),
  };
}

function refuseInterval(operands: readonly Operand[]): void {
  const interval = operands.find(({ value }) => value.type.kind === "interval");
  if (interval === undefined) return;
  throw new SqlError(
    interval.at,
    `${interval.text} is not a value: add it to a time, as in NOW() - INTERVAL 7 DAY`,
  );
}

function refuseDifferentTypes(first: Operand, second: Operand, all: readonly Operand[]): never {
  if (isNumber(first.value.type) && isNumber(second.value.type)) {
    const other =
      all.find(({ value }) => value.type.kind === "integer" && !isUnsignedLiteral(value)) ?? second;
    const advice =
      "no exact type has room for both an amount and a number that may be negative; CAST them AS DOUBLE";
    throw new SqlError(other.at, `${other.text} cannot be combined with an amount: ${advice}`);
  }
  const sides = [first, second].map(({ value, text }) => `${text} (${typeName(value.type)})`);
  throw new SqlError(second.at, `${sides[0]} and ${sides[1]} have different types`);
}

/**
 * Returns the type that fits both, or null if no exact type does.
 *
 * @param number the type that fits every number among the alternatives
 */
function commonType(
  type: ValueType,
  { type: other }: CheckedExpression,
  number: ValueType | null,
): ValueType | null {
  if (isNumber(type) && isNumber(other)) return number;
  if (type.kind === "bytes" && other.kind === "bytes") {
    if (type.lengths === null || other.lengths === null) return { kind: "bytes", lengths: null };
    return { kind: "bytes", lengths: [...new Set([...type.lengths, ...other.lengths])] };
  }
  return type.kind === other.kind ? type : null;
}

function commonNumber(values: readonly CheckedExpression[]): ValueType | null {
  const kinds = new Set(values.map(({ type }) => type.kind));
  if (kinds.has("double")) return DOUBLE;
  if (kinds.has("sum") || kinds.has("amount")) {
    const exact = values.every((value) => value.type.kind !== "integer" || isUnsignedLiteral(value));
    return exact ? (kinds.has("sum") ? SUM : AMOUNT) : null;
  }
  const bits = Math.max(...values.map(({ type }) => (type.kind === "integer" ? type.bits : 0)));
  if (bits <= WIDE_BITS) return integerType(bits);
  return values.every(isUnsignedLiteral) ? AMOUNT : DOUBLE;
}

/** Returns whether a value is a literal that fits in an amount. */
function isUnsignedLiteral(value: CheckedExpression): boolean {
  return value.node === "literal" && typeof value.value === "bigint" && value.value >= 0n;
}

const TO_AMOUNT: Operation = { name: "to-amount", print: (value) => sql`toUInt256(${value})` };
const TO_BOOLEAN: Operation = { name: "to-boolean", print: (value) => sql`toBool(${value})` };
/** Uses `concat`, because a cast from FixedString would drop trailing zero bytes. */
const TO_BYTES: Operation = { name: "to-bytes", print: (value) => sql`concat(${value}, '')` };
const AMOUNT_TO_SUM: Operation = {
  name: "amount-to-sum",
  weight: 5,
  copies: 2,
  print: printAmountAsSum,
};

function inType(value: CheckedExpression, type: ValueType): CheckedExpression {
  switch (type.kind) {
    case "integer":
      return toInteger(value, type.bits);
    case "double":
      return toDouble(value);
    case "amount":
      return value.node === "literal" ? apply(TO_AMOUNT, AMOUNT, value) : value;
    case "sum":
      return inSum(value);
    case "boolean":
      return apply(TO_BOOLEAN, BOOLEAN, value);
    case "bytes":
      return apply(TO_BYTES, type, value);
    case "text":
      return plainText(value);
    default:
      return value;
  }
}

function inSum(value: CheckedExpression): CheckedExpression {
  if (value.type.kind === "sum") return value;
  if (value.node === "literal") return literal(value.value, SUM);
  return apply(AMOUNT_TO_SUM, SUM, value);
}

const NULL: Operation = { name: "null", print: () => sql`NULL` };
const NULL_SUM: Operation = { name: "null-sum", print: () => sql`tuple(NULL, NULL)` };

/** Returns NULL as a value of this type. */
export function nullOf(type: ValueType): CheckedExpression {
  return apply(type.kind === "sum" ? NULL_SUM : NULL, type);
}

const CHOOSE: Operation = { name: "choose", print: (...parts) => sql`multiIf(${join(parts)})` };

/** Returns the value of the first true condition, or the last value if none is true. */
export function choose(
  conditions: readonly CheckedExpression[],
  { values, type }: Alternatives,
): CheckedExpression {
  const pairs = conditions.flatMap((condition, i) => [condition, values[i] ?? nullOf(type)]);
  return apply(CHOOSE, type, ...pairs, values.at(-1) ?? nullOf(type));
}

const COALESCE: Operation = { name: "coalesce", print: (...values) => sql`coalesce(${join(values)})` };
const COALESCE_SUMS: Operation = {
  name: "coalesce-sums",
  weight: 3,
  copies: 2,
  print: (...values) => values.reduceRight((later, value) => ifNullSum(value, later)),
};

function ifNullSum(value: Sql, later: Sql): Sql {
  return sql`if(isNull(tupleElement(${value}, 1)), ${later}, ${value})`;
}

/** Returns the first value that is not null. */
export function coalesce({ values, type }: Alternatives): CheckedExpression {
  return apply(type.kind === "sum" ? COALESCE_SUMS : COALESCE, type, ...values);
}
