import type { Sql } from "../../engine-sql/sql-text.ts";
import type { Position } from "../syntax/sql-error.ts";
import type { ValueType } from "../types/value-type.ts";

/** A function, an operator or a conversion, and its form in the engine's SQL. */
export interface Operation {
  /** Identifies the operation: equal names and operands mean equal values. */
  name: string;
  print(...operands: Sql[]): Sql;
  /** True if it computes one value from many rows. */
  aggregate?: boolean;
  /** Number of nodes in its printed form, if far more than one. */
  weight?: number;
  /** How many times it prints each operand, if more than once. */
  copies?: number;
  /** Time for each byte of its strings, in nanoseconds, if far longer than copying takes. */
  nsPerByte?: number;
  /** True if `nsPerByte` is so high that rare long strings must be allowed for. */
  countsRareTexts?: boolean;
  /** True if the resulting text is a part of the first operand, or that operand in upper or lower case. */
  isPart?: boolean;
  /**
   * Returns the maximum length of the resulting text in bytes. Needed only if that is not the total length of
   * the operands.
   */
  longest?(bytes: readonly number[], operands: readonly CheckedExpression[]): number;
}

/**
 * Whole numbers are bigints. Doubles and times (unix seconds) are numbers. Text and bytes (`0x…`) are
 * strings.
 */
export type LiteralValue = bigint | number | string | boolean;

/** An expression whose names are resolved and whose types are checked. */
export type CheckedExpression =
  | { node: "column"; name: string; type: ValueType; at: Position }
  | { node: "literal"; value: LiteralValue; type: ValueType; size: number }
  | {
      node: "apply";
      operation: Operation;
      operands: readonly CheckedExpression[];
      type: ValueType;
      size: number;
      /** True if it is computed from many rows. */
      hasAggregate: boolean;
      /** True if it is the same for every row. */
      isConstant: boolean;
    };

export function literal(value: LiteralValue, type: ValueType): CheckedExpression {
  return { node: "literal", value, type, size: literalSize(value) };
}

/**
 * Bytes of text that count as one node. A long string counts as many nodes, because an alias may print it
 * many times. A hash is one node.
 */
const BYTES_OF_NODE = 80;

function literalSize(value: LiteralValue): number {
  return typeof value === "string" ? 1 + Math.floor(Buffer.byteLength(value) / BYTES_OF_NODE) : 1;
}

export function apply(
  operation: Operation,
  type: ValueType,
  ...operands: CheckedExpression[]
): CheckedExpression {
  const { weight = 1, copies = 1 } = operation;
  const size = operands.reduce((sum, operand) => sum + copies * sizeOf(operand), weight);
  const { aggregate = false } = operation;
  return {
    node: "apply",
    operation,
    operands,
    type,
    size,
    hasAggregate: aggregate || operands.some(hasAggregate),
    isConstant: !aggregate && operands.every(isConstant),
  };
}

const keys = new WeakMap<CheckedExpression, string>();

/** Returns a key. Expressions with equal keys always have equal values. */
export function keyOf(checked: CheckedExpression): string {
  const known = keys.get(checked);
  if (known !== undefined) return known;
  const key = writeKey(checked);
  keys.set(checked, key);
  return key;
}

function writeKey(checked: CheckedExpression): string {
  switch (checked.node) {
    case "column":
      return checked.name;
    case "literal":
      return JSON.stringify([checked.type.kind, String(checked.value)]);
    case "apply":
      // A name may contain any text, such as the format of a time, so it is quoted.
      return `${JSON.stringify(checked.operation.name)}(${checked.operands.map(keyOf).join(",")})`;
  }
}

/**
 * Returns the number of nodes in the printed form of an expression. An alias counts as its whole expression,
 * and an operand as often as it is printed. Each node stores its size, because counting would otherwise visit
 * a shared operand once for each time that it is printed.
 */
export function sizeOf(checked: CheckedExpression): number {
  return checked.node === "column" ? 1 : checked.size;
}

export function hasAggregate(checked: CheckedExpression): boolean {
  return checked.node === "apply" && checked.hasAggregate;
}

/** Returns whether the value is the same for every row. */
export function isConstant(checked: CheckedExpression): boolean {
  switch (checked.node) {
    case "column":
      return false;
    case "literal":
      return true;
    case "apply":
      return checked.isConstant;
  }
}

/** Returns whether the value depends on no columns except these. */
export function dependsOnlyOn(checked: CheckedExpression, columns: readonly string[]): boolean {
  if (checked.node === "column") return columns.includes(checked.name);
  return checked.node === "literal" || checked.operands.every((operand) => dependsOnlyOn(operand, columns));
}

/** Returns whether the value depends on at least one of these columns. */
export function dependsOn(checked: CheckedExpression, columns: readonly string[]): boolean {
  if (checked.node === "column") return columns.includes(checked.name);
  return checked.node === "apply" && checked.operands.some((operand) => dependsOn(operand, columns));
}
