/** Powers of ten up to this exponent are exact doubles. */
const EXACT_POWER_OF_TEN = 22;
const POWERS_OF_TEN = Array.from({ length: EXACT_POWER_OF_TEN + 1 }, (_, power) => 10 ** power);
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Largest unsigned number of 64 bits. */
export const MAX_UINT64 = 2n ** 64n - 1n;

/**
 * Returns value / 10^decimals as the nearest double. If numerator and denominator are exact doubles, one
 * division rounds correctly (IEEE 754). Otherwise the decimal text is parsed, which also rounds correctly.
 */
export function toUnits(value: bigint, decimals: number): number {
  const power = POWERS_OF_TEN[decimals];
  if (power !== undefined && value <= MAX_SAFE && value >= -MAX_SAFE) return Number(value) / power;
  return Number(`${value}e-${decimals}`);
}
