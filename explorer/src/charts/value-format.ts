import type { PriceFormatCustom } from "lightweight-charts";

/** So many digits of a figure of its size the scale tells apart. */
const DIGITS = 6;

/** How figures of the size of `sample` are written in a chart; its scale steps finely enough for them. */
export function valueFormat(
  sample: number | null | undefined,
  formatter: (value: number) => string,
): PriceFormatCustom {
  const exponent = sample ? Math.floor(Math.log10(Math.abs(sample))) : 0;
  // A base that is whole: what the scale divides by stays exact where the step would not.
  const base = 10 ** Math.max(0, DIGITS - exponent);
  return { type: "custom", formatter, minMove: 1 / base, base };
}
