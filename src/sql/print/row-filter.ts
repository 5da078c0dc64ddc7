import { join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { CheckedExpression } from "../expressions/checked-expression.ts";
import { conjunctsOf, isConnective } from "../expressions/conditions.ts";

/**
 * Maximum depth of a condition that may use an index. Conditions that can use one rarely have more nested
 * operations.
 */
const INDEXED_DEPTH = 8;

/**
 * Returns whether the engine may use its indexes for a condition: only if the condition is not nested too
 * deeply. Otherwise, planning would take too long.
 */
export function mayUseIndex(condition: CheckedExpression): boolean {
  return depthOf(condition) <= INDEXED_DEPTH;
}

/**
 * Prints the bound on blocks, which applies to every query, and the client's condition.
 *
 * For each index, the engine searches for the index's columns inside functions of one argument. The time for
 * this grows with the square of the nesting depth, and the search cannot be stopped: planning sixty nested
 * ROUNDs takes four seconds. The engine does not look inside `if`, so a deep condition is wrapped in one.
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

/** Returns how deeply operations are nested. AND, OR and NOT do not add to the depth. */
function depthOf(value: CheckedExpression): number {
  if (value.node !== "apply") return 0;
  const known = depths.get(value);
  if (known !== undefined) return known;
  const inside = value.operands.reduce((most, operand) => Math.max(most, depthOf(operand)), 0);
  const depth = inside + (isConnective(value) ? 0 : 1);
  depths.set(value, depth);
  return depth;
}
