import { type Expression, partsOf, type SelectItem } from "../parse/syntax.ts";

/**
 * Sums of doubles depend on the order of the rows, these functions on who computes them. Beyond 2^53 steps doubles do
 * not hold the number of a bucket.
 */
const APPROXIMATE: ReadonlySet<string> = new Set(
  (
    "SUM SUM_OF_SQUARES AVG MAD SKEWNESS KURTOSIS PERCENTILE_RANK STDDEV_POP STDDEV_SAMP VAR_POP VAR_SAMP PERCENTILE MEDIAN CBRT EXP EXPM1 LN LOG LOG10 POWER POW " +
    "ACOS ASIN ATAN ATAN2 COS COSH COT SIN SINH TAN HISTOGRAM"
  ).split(" "),
);

/** Far above what last digits differ by, far below what a mistake is. */
const LAST_DIGITS = 1e-12;

/**
 * What is left where most of an approximate number is taken away. The digits of its text are compared all the same: a
 * length that differs by one is no mistake.
 */
const TAKEN_AWAY = 1e-9;

/** Of the remainder of an approximate number no digit is sure. */
const REMAINDER = 2;

/** Where small differences of large numbers are left. */
const DIFFERENCES = "+ - COS COT SIN TAN MAD SKEWNESS KURTOSIS STDDEV_POP STDDEV_SAMP VAR_POP VAR_SAMP";

const TAKING_AWAY: Readonly<Record<string, number>> = {
  ...Object.fromEntries(DIFFERENCES.split(" ").map((name) => [name, TAKEN_AWAY])),
  "%": REMAINDER,
  MOD: REMAINDER,
};

/** How far another implementation may be from what an expression in doubles gives, in proportion to it. */
export function distanceOf(expression: Expression, items: readonly SelectItem[]): number {
  const within = Math.max(
    0,
    ...meanings(expression, items).map(({ part, others }) => distanceOf(part, others)),
  );
  const name = operationOf(expression);
  if (within > 0) return Math.max(within, TAKING_AWAY[name] ?? 0);
  return APPROXIMATE.has(name) ? LAST_DIGITS : 0;
}

function operationOf(expression: Expression): string {
  if (expression.kind === "call") return expression.name;
  return expression.kind === "binary" ? expression.operator : "";
}

/** The parts of an expression, and what a name may stand for. */
function meanings(expression: Expression, items: readonly SelectItem[]) {
  const { kind } = expression;
  const meant =
    kind === "name" ? items.find(({ alias }) => alias?.toLowerCase() === expression.name) : undefined;
  const others = items.filter((item) => item !== meant);
  const parts = [...partsOf(expression), ...(meant === undefined ? [] : [meant.expression])];
  return parts.map((part) => ({ part, others }));
}
