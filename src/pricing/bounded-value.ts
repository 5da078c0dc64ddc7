/**
 * Values beyond 2^512 (1e154) have no economic meaning; below it neither the sum of 2^500 of them nor a product
 * of two leaves the range of doubles.
 */
const MAX_VALUE = 2 ** 512;

/** The value if it is a positive number in bounds; null for zero, NaN, infinity and nonsense: a price is never 0. */
export function bounded(value: number): number | null {
  return value > 0 && value <= MAX_VALUE ? value : null;
}

/** a / b, null where either is absent or the quotient says nothing. */
export function quotient(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : bounded(a / b);
}

/** a * b, null where either is absent or the product says nothing. */
export function product(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : bounded(a * b);
}
