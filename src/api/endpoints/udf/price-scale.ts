/** Significant digits of the current price that charts show. */
const DIGITS = 5;
/** Dollars have cents, also where a price has more digits before the point. */
const MIN_DECIMALS = 2;
/**
 * Charts multiply prices by the scale: up to here it is exact as a double, and five digits of prices down to 1e-12 have
 * their place.
 */
const MAX_DECIMALS = 16;

/**
 * The scale of a chart's prices: 10 to the number of decimals with which the price has five significant digits, from
 * 100 to 10^16.
 *
 * @param priceUsd current price; null if there is none
 */
export function priceScale(priceUsd: number | null): number {
  if (priceUsd === null || !(priceUsd > 0)) return 10 ** MIN_DECIMALS;
  const decimals = DIGITS - 1 - exponentOf(priceUsd);
  return 10 ** Math.min(MAX_DECIMALS, Math.max(MIN_DECIMALS, decimals));
}

/** Exponent of a number's first digit once it is rounded: log10() is inexact next to powers of ten. */
function exponentOf(value: number): number {
  return Number(value.toExponential(DIGITS - 1).split("e")[1]);
}
