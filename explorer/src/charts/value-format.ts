import type { PriceFormatCustom } from "lightweight-charts";

/** Number of significant digits that the scale distinguishes. */
const DIGITS = 6;

/** Returns the chart's format for values as large as `sample`, with a scale that is fine enough for them. */
export function valueFormat(
  sample: number | null | undefined,
  formatter: (value: number) => string,
): PriceFormatCustom {
  const exponent = sample ? Math.floor(Math.log10(Math.abs(sample))) : 0;
  // The integer `base` keeps the scale exact, because `minMove` is inexact as a float.
  const base = 10 ** Math.max(0, DIGITS - exponent);
  return { type: "custom", formatter, minMove: 1 / base, base };
}
