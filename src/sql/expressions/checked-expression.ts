import type { Sql } from "../../engine-sql/sql-text.ts";
import type { Position } from "../syntax/sql-error.ts";
import type { ValueType } from "../types/value-type.ts";

/** What can be done to values: a function, an operator or a conversion, and how the engine is told. */
export interface Operation {
  /** Names the operation among all; equal names and operands mean equal values. */
  name: string;
  print(...operands: Sql[]): Sql;
  /** True when it makes one value of many rows. */
  aggregate?: boolean;
  /** Nodes that it prints as, where they are many more than one. */
  weight?: number;
  /** How often its operands are printed, where that is more than once. */
  copies?: number;
}

/** integer: bigint; double, time (unix seconds): number; text, bytes (`0x…`): string. */
export type LiteralValue = bigint | number | string | boolean;

/** An expression in which every name is known and every operation fits its operands. */
export type CheckedExpression =
  | { node: "column"; name: string; type: ValueType; at: Position }
  | { node: "literal"; value: LiteralValue; type: ValueType }
  | {
      node: "apply";
      operation: Operation;
      operands: readonly CheckedExpression[];
      type: ValueType;
      size: number;
    };

export function literal(value: LiteralValue, type: ValueType): CheckedExpression {
  return { node: "literal", value, type };
}

export function apply(
  operation: Operation,
  type: ValueType,
  ...operands: CheckedExpression[]
): CheckedExpression {
  const { weight = 1, copies = 1 } = operation;
  const size = operands.reduce((sum, operand) => sum + copies * sizeOf(operand), weight);
  return { node: "apply", operation, operands, type, size };
}

/** Equal for expressions that always have equal values. */
export function keyOf(checked: CheckedExpression): string {
  switch (checked.node) {
    case "column":
      return checked.name;
    case "literal":
      return JSON.stringify([checked.type.kind, String(checked.value)]);
    case "apply":
      return `${checked.operation.name}(${checked.operands.map(keyOf).join(",")})`;
  }
}

/**
 * Nodes that are printed for an expression: an alias, and an operand that is printed twice, count as what they
 * stand for. Kept with the node, because what is shared makes the walk as long as the number is large.
 */
export function sizeOf(checked: CheckedExpression): number {
  return checked.node === "apply" ? checked.size : 1;
}

export function hasAggregate(checked: CheckedExpression): boolean {
  if (checked.node !== "apply") return false;
  return checked.operation.aggregate === true || checked.operands.some(hasAggregate);
}

/** True when the value is the same for every row. */
export function isConstant(checked: CheckedExpression): boolean {
  switch (checked.node) {
    case "column":
      return false;
    case "literal":
      return true;
    case "apply":
      return checked.operation.aggregate !== true && checked.operands.every(isConstant);
  }
}

/** True when the value follows from some columns alone. */
export function dependsOnlyOn(checked: CheckedExpression, columns: readonly string[]): boolean {
  if (checked.node === "column") return columns.includes(checked.name);
  return checked.node === "literal" || checked.operands.every((operand) => dependsOnlyOn(operand, columns));
}
