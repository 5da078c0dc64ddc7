import type { UTCTimestamp } from "lightweight-charts";
import { useEffect } from "react";
import { type ChartColour, withAlpha } from "./chart-colours.ts";
import { useChart, useSeries } from "./time-chart.tsx";
import { valueFormat } from "./value-format.ts";

export interface Point {
  /** Unix seconds; points are given in order, one a time. */
  time: number;
  /** Null where there is none: the line has a gap. */
  value: number | null;
}

interface LineSeriesProps {
  points: readonly Point[];
  /** How a value is written at the scale and under the crosshair. */
  format: (value: number) => string;
  colour?: ChartColour;
  /** With the area below it, or the line alone. */
  isFilled?: boolean;
}

/** A line of values over time, in a `TimeChart`. All of it is shown when it comes first. */
export function LineSeries({ points, format, colour = "accent", isFilled = false }: LineSeriesProps) {
  const { chart, colours } = useChart();
  const series = useSeries("Area", { lineWidth: 2, priceLineVisible: false });
  useEffect(() => {
    const lineColor = colours[colour];
    series?.applyOptions({
      lineColor,
      topColor: withAlpha(lineColor, isFilled ? 0.25 : 0),
      bottomColor: withAlpha(lineColor, 0),
    });
  }, [series, colours, colour, isFilled]);
  useEffect(() => {
    if (series === null) return;
    const isFirst = series.data().length === 0;
    series.applyOptions({ priceFormat: valueFormat(points.at(-1)?.value, format) });
    series.setData(points.map(pointOf));
    if (isFirst) chart.timeScale().fitContent();
  }, [series, chart, points, format]);
  return null;
}

function pointOf({ time, value }: Point) {
  const at = time as UTCTimestamp;
  return value === null ? { time: at } : { time: at, value };
}
