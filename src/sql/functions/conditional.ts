import { join, sql } from "../../engine-sql/sql-text.ts";
import { type Alternative, choose, coalesce, unifyAlternatives } from "../expressions/alternatives.ts";
import { apply, type CheckedExpression, type Operation } from "../expressions/checked-expression.ts";
import { compare } from "../expressions/comparison.ts";
import type { Operand } from "../expressions/literal-coercion.ts";
import { SqlError } from "../syntax/sql-error.ts";
import type { Expression } from "../syntax/syntax-tree.ts";
import { typeName, type ValueKind } from "../types/value-type.ts";
import type { SqlFunction } from "./sql-function.ts";

function firstOf(operands: readonly Alternative[], call: Expression): CheckedExpression {
  return coalesce(unifyAlternatives(operands, call));
}

function nullIfEqual([first, second]: readonly Alternative[], call: Expression): CheckedExpression {
  const [value, other] = [requireValue(first, call), requireValue(second, call)];
  const alternatives = unifyAlternatives([null, value], call);
  return choose([compare("=", value, other)], alternatives);
}

function requireValue(operand: Alternative | undefined, { at }: Expression): Operand {
  if (operand != null) return operand;
  throw new SqlError(at, "NULLIF compares two values, and NULL equals nothing");
}

function oneOfTwo(
  [condition, yes = null, no = null]: readonly Alternative[],
  call: Expression,
): CheckedExpression {
  if (condition == null || condition.value.type.kind !== "boolean") {
    const found = condition == null ? "NULL" : `${condition.text} (${typeName(condition.value.type)})`;
    throw new SqlError(
      condition?.at ?? call.at,
      `the first argument of IIF must be a condition, found ${found}`,
    );
  }
  return choose([condition.value], unifyAlternatives([yes, no], call));
}

const GREATEST_OF: Operation = { name: "greatest", print: (...values) => sql`greatest(${join(values)})` };
const LEAST_OF: Operation = { name: "least", print: (...values) => sql`least(${join(values)})` };

const UNORDERED: readonly ValueKind[] = ["boolean", "sum"];

function extreme(operation: Operation) {
  return (operands: readonly Alternative[], call: Expression): CheckedExpression => {
    const { values, type } = unifyAlternatives(operands, call);
    const found = operands.find((operand) => operand !== null);
    if (UNORDERED.includes(type.kind) && found != null) {
      const advice = type.kind === "sum" ? "exact sums; CAST them AS DOUBLE" : "conditions";
      throw new SqlError(found.at, `${operation.name.toUpperCase()} does not take ${advice}`);
    }
    return apply(operation, type, ...values);
  };
}

/** No maximum number of arguments; only the limit on a query's text applies. */
const ANY = Number.POSITIVE_INFINITY;

/** Functions that return one of their arguments. An argument may be NULL. */
export const CONDITIONAL: readonly SqlFunction[] = [
  {
    name: "COALESCE",
    signature: "COALESCE(x, y, …)",
    doc: "the first value that is not null",
    example: ["COALESCE(price_token_eth, amount_usd, 0)", 19.5],
    choice: { least: 1, most: ANY, choose: firstOf },
  },
  {
    name: "GREATEST",
    signature: "GREATEST(x, y, …)",
    doc: "the largest value; nulls are ignored",
    example: ["GREATEST(log_index, 20, NULL)", 20],
    choice: { least: 1, most: ANY, choose: extreme(GREATEST_OF) },
  },
  {
    name: "IFNULL",
    synonyms: ["ISNULL", "NVL"],
    signature: "IFNULL(x, y)",
    doc: "x, or y if x is null",
    example: ["IFNULL(price_token_eth, -1)", -1],
    choice: { least: 2, most: 2, choose: firstOf },
  },
  {
    name: "IIF",
    signature: "IIF(condition, x), IIF(condition, x, y)",
    doc: "x if the condition is true, y (or null) if it is false or null",
    example: ["IIF(amount_usd > 10, 'large', 'small')", "large"],
    choice: { least: 2, most: 3, choose: oneOfTwo },
  },
  {
    name: "LEAST",
    signature: "LEAST(x, y, …)",
    doc: "the smallest value; nulls are ignored",
    example: ["LEAST(log_index, 20, NULL)", 13],
    choice: { least: 1, most: ANY, choose: extreme(LEAST_OF) },
  },
  {
    name: "NULLIF",
    signature: "NULLIF(x, y)",
    doc: "null if both are equal, otherwise x",
    example: ["NULLIF(side, 'sell')", null],
    choice: { least: 2, most: 2, choose: nullIfEqual },
  },
];
