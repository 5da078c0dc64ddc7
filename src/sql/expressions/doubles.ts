import { sql } from "../../engine-sql/sql-text.ts";
import { DOUBLE } from "../types/value-type.ts";
import { apply, type CheckedExpression, type Operation } from "./checked-expression.ts";
import { printSumAsDouble } from "./exact-sums.ts";

const TO_DOUBLE: Operation = { name: "to-double", print: (value) => sql`toFloat64(${value})` };
const SUM_TO_DOUBLE: Operation = { name: "sum-to-double", weight: 3, copies: 2, print: printSumAsDouble };

export function toDouble(value: CheckedExpression): CheckedExpression {
  switch (value.type.kind) {
    case "double":
      return value;
    case "sum":
      return apply(SUM_TO_DOUBLE, DOUBLE, value);
    default:
      return apply(TO_DOUBLE, DOUBLE, value);
  }
}

/**
 * Returns an operation that gives null instead of NaN and infinity, so a value shown as null also behaves as
 * null. It gives 0 instead of -0, which the engine would group separately.
 */
export function finite(operation: Operation): Operation {
  const { print, weight = 1 } = operation;
  return {
    ...operation,
    weight: weight + 2,
    print: (...operands) => sql`ifNotFinite(${print(...operands)} + 0., NULL)`,
  };
}
