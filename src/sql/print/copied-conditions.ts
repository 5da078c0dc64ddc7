import { type CheckedExpression, dependsOn, sizeOf } from "../expressions/checked-expression.ts";
import type { CheckedSelect } from "../expressions/checked-select.ts";
import { conjunctsOf } from "../expressions/conditions.ts";
import { textCost } from "../expressions/text-cost.ts";
import { SQL_LIMITS } from "../syntax/limits.ts";
import { mayUseIndex } from "./row-filter.ts";

/**
 * Maximum time for copied values that are the same for every row, in nanoseconds. The engine cannot be
 * stopped during that time.
 */
const MOST_CONSTANT_NS = 100e6;

/**
 * Returns the conditions of a query that are printed again to find the rows to judge. They do not depend on
 * verdicts, and their copies cost little. A copy counts towards the limit on nodes like a part of the
 * client's query. If a condition is left out, more rows are judged, and the verdicts are the same.
 *
 * @param copies number of times that each condition is printed again
 */
export function copiedConditions(
  query: CheckedSelect,
  verdicts: readonly string[],
  copies: number,
): CheckedExpression[] {
  const most = { nodes: SQL_LIMITS.nodes - query.nodes, constantNs: MOST_CONSTANT_NS };
  const kept = conjunctsOf(query.where)
    .filter((part) => !dependsOn(part, verdicts) && mayUseIndex(part))
    .toSorted((a, b) => sizeOf(a) - sizeOf(b));
  return kept.filter((part) => {
    const nodes = copies * sizeOf(part);
    const constantNs = copies * textCost(part).constantNs;
    if (nodes > most.nodes || constantNs > most.constantNs) return false;
    most.nodes -= nodes;
    most.constantNs -= constantNs;
    return true;
  });
}
