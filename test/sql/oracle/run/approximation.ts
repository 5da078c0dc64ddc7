import { type Expression, partsOf, type SelectItem } from "../parse/syntax.ts";

/**
 * Functions whose last digits depend on the order of the rows or on the implementation. HISTOGRAM is one of
 * them, because a double cannot represent a bucket's number beyond 2^53 steps.
 */
const APPROXIMATE: ReadonlySet<string> = new Set(
  (
    "SUM SUM_OF_SQUARES AVG MAD SKEWNESS KURTOSIS PERCENTILE_RANK STDDEV_POP STDDEV_SAMP VAR_POP VAR_SAMP PERCENTILE MEDIAN CBRT EXP EXPM1 LN LOG LOG10 POWER POW " +
    "ACOS ASIN ATAN ATAN2 COS COSH COT SIN SINH TAN HISTOGRAM"
  ).split(" "),
);

/** Relative distance far above a difference in the last digits, and far below a real error. */
const LAST_DIGITS = 1e-12;

/**
 * Relative tolerance for a small difference between two large approximate numbers. The text of such a number
 * may also be one digit longer or shorter, which is not a mistake.
 */
const CANCELLATION = 1e-9;

/** Relative tolerance for the remainder of an approximate number. No digit of this remainder is certain. */
const REMAINDER = 2;

/** Operations that can result in small differences of large numbers. */
const DIFFERENCES = "+ - COS COT SIN TAN MAD SKEWNESS KURTOSIS STDDEV_POP STDDEV_SAMP VAR_POP VAR_SAMP";

const CANCELLING: Readonly<Record<string, number>> = {
  ...Object.fromEntries(DIFFERENCES.split(" ").map((name) => [name, CANCELLATION])),
  "%": REMAINDER,
  MOD: REMAINDER,
};

/**
 * Returns how far another implementation's result for an expression of doubles may be off, as a relative
 * distance.
 */
export function distanceOf(expression: Expression, items: readonly SelectItem[]): number {
  const within = Math.max(
    0,
    ...meanings(expression, items).map(({ part, others }) => distanceOf(part, others)),
  );
  const name = operationOf(expression);
  if (within > 0) return Math.max(within, CANCELLING[name] ?? 0);
  return APPROXIMATE.has(name) ? LAST_DIGITS : 0;
}

function operationOf(expression: Expression): string {
  if (expression.kind === "call") return expression.name;
  return expression.kind === "binary" ? expression.operator : "";
}

/**
 * Returns the operands of an expression or, for the name of an alias, the expression that it names.
 * `others` are the items to which names inside these may still refer.
 */
function meanings(expression: Expression, items: readonly SelectItem[]) {
  const { kind } = expression;
  const meant =
    kind === "name" ? items.find(({ alias }) => alias?.toLowerCase() === expression.name) : undefined;
  const others = items.filter((item) => item !== meant);
  const parts = [...partsOf(expression), ...(meant === undefined ? [] : [meant.expression])];
  return parts.map((part) => ({ part, others }));
}
