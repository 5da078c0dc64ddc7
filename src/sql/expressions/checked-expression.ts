import type { Sql } from "../../engine-sql/sql-text.ts";
import type { Position } from "../syntax/sql-error.ts";
import type { ValueType } from "../types/value-type.ts";

/** A function, an operator or a conversion, and its form in the engine's SQL. */
export interface Operation {
  /** Identifies the operation: equal names and operands mean equal values. */
  name: string;
  print(...operands: Sql[]): Sql;
  /** True when it computes one value from many rows. */
  aggregate?: boolean;
  /** Number of nodes in its printed form, if far more than one. */
  weight?: number;
  /** How often it prints its operands, if more than once. */
  copies?: number;
}

/** integer: bigint; double, time (unix seconds): number; text, bytes (`0x…`): string. */
export type LiteralValue = bigint | number | string | boolean;

/** An expression whose names are resolved and whose types are checked. */
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
 * Number of nodes in the printed form of an expression: an alias counts as its whole expression, and an
 * operand as often as it is printed. Stored in the node, because a walk over shared operands would take that
 * many steps.
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

/** True when the value depends on no columns but these. */
export function dependsOnlyOn(checked: CheckedExpression, columns: readonly string[]): boolean {
  if (checked.node === "column") return columns.includes(checked.name);
  return checked.node === "literal" || checked.operands.every((operand) => dependsOnlyOn(operand, columns));
}
