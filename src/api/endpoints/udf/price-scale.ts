/** Number of significant digits of the current price that charts show. */
const DIGITS = 5;
/** Minimum number of decimals: dollars have cents, even if a price has more digits before the point. */
const MIN_DECIMALS = 2;
/**
 * Maximum number of decimals. Charts multiply prices by the scale, which is exact as a double up to here, and
 * five digits of prices down to 1e-12 fit.
 */
const MAX_DECIMALS = 16;

/**
 * Returns the scale of a chart's prices: 10 to the power of the number of decimals with which the price has
 * five significant digits, from 100 to 10^16.
 *
 * @param priceUsd current price; null if there is none
 */
export function priceScale(priceUsd: number | null): number {
  if (priceUsd === null || !(priceUsd > 0)) return 10 ** MIN_DECIMALS;
  const decimals = DIGITS - 1 - exponentOf(priceUsd);
  return 10 ** Math.min(MAX_DECIMALS, Math.max(MIN_DECIMALS, decimals));
}

/**
 * Returns the exponent of a number's first digit after rounding. log10() would be inexact near powers of ten.
 */
function exponentOf(value: number): number {
  return Number(value.toExponential(DIGITS - 1).split("e")[1]);
}
