import type { PriceFormatCustom } from "lightweight-charts";

/** Significant digits that the scale distinguishes. */
const DIGITS = 6;

/** The chart format for values of the magnitude of `sample`, with a fine enough scale. */
export function valueFormat(
  sample: number | null | undefined,
  formatter: (value: number) => string,
): PriceFormatCustom {
  const exponent = sample ? Math.floor(Math.log10(Math.abs(sample))) : 0;
  // An integer base keeps the scale exact; minMove is inexact as a float.
  const base = 10 ** Math.max(0, DIGITS - exponent);
  return { type: "custom", formatter, minMove: 1 / base, base };
}
