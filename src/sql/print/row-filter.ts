import { join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { CheckedExpression } from "../expressions/checked-expression.ts";
import { conjunctsOf, isConnective } from "../expressions/conditions.ts";

/** Conditions on the columns of an index have fewer operations inside each other. */
const INDEXED_DEPTH = 8;

/** False for a condition of which no index can exclude rows. */
export function mayUseIndex(condition: CheckedExpression): boolean {
  return depthOf(condition) <= INDEXED_DEPTH;
}

/**
 * The client's condition, after the bound on blocks that every reader has.
 *
 * For each index, the engine looks for its columns inside functions of one argument, in a time that grows with
 * the square of their depth: it plans sixty times ROUND for four seconds, and cannot be stopped. It does not look
 * into a choice, so a deep condition becomes one.
 */
export function printRowFilter(
  bounded: Sql,
  where: CheckedExpression | null,
  print: (value: CheckedExpression) => Sql,
): Sql {
  const conditions = conjunctsOf(where).map((part) =>
    mayUseIndex(part) ? print(part) : sql`if(${print(part)}, ${bounded}, false)`,
  );
  return join([bounded, ...conditions], " AND ");
}

const depths = new WeakMap<CheckedExpression, number>();

/** Operations inside each other, without AND, OR and NOT. */
function depthOf(value: CheckedExpression): number {
  if (value.node !== "apply") return 0;
  const known = depths.get(value);
  if (known !== undefined) return known;
  const inside = value.operands.reduce((most, operand) => Math.max(most, depthOf(operand)), 0);
  const depth = inside + (isConnective(value) ? 0 : 1);
  depths.set(value, depth);
  return depth;
}
