/**
 * Maximum value: values above 2^512 (1e154) have no economic meaning. Below it, neither a sum of 2^500 values
 * nor a product of two exceeds the range of doubles.
 */
const MAX_VALUE = 2 ** 512;

/** Returns the value if it is positive and at most MAX_VALUE; otherwise null. 0 is never a price. */
export function bounded(value: number): number | null {
  return value > 0 && value <= MAX_VALUE ? value : null;
}

/** Returns a / b; null if either is null or the quotient is out of bounds. */
export function quotient(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : bounded(a / b);
}

/** Returns a * b; null if either is null or the product is out of bounds. */
export function product(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : bounded(a * b);
}
