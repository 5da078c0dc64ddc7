import type { UTCTimestamp } from "lightweight-charts";
import { useEffect } from "react";
import { type ChartColour, withAlpha } from "./chart-colours.ts";
import { useChart, useSeries } from "./time-chart.tsx";
import { valueFormat } from "./value-format.ts";

export interface Point {
  /** In unix seconds. Points are sorted by time, with at most one point per time. */
  time: number;
  /** Null for a gap in the line. */
  value: number | null;
}

interface LineSeriesProps {
  points: readonly Point[];
  /** Formats a value for the scale and the crosshair. */
  format: (value: number) => string;
  colour?: ChartColour;
  /** Whether the area below the line is filled. */
  isFilled?: boolean;
}

/** A line of values over time in a `TimeChart`. Initially the whole line is visible. */
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
