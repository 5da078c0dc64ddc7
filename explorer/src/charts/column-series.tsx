import type { UTCTimestamp } from "lightweight-charts";
import { useEffect } from "react";
import { type ChartColour, withAlpha } from "./chart-colours.ts";
import { useChart, useSeries } from "./time-chart.tsx";
import { valueFormat } from "./value-format.ts";

interface ColumnSeriesProps {
  /** Sorted by time (unix seconds). No two points have the same time. */
  points: readonly { time: number; value: number }[];
  format: (value: number) => string;
  colour: ChartColour;
}

/** Columns above or below zero in a `TimeChart`. */
export function ColumnSeries({ points, format, colour }: ColumnSeriesProps) {
  const { chart, colours } = useChart();
  const series = useSeries("Histogram", { priceLineVisible: false, lastValueVisible: false });
  useEffect(() => {
    series?.applyOptions({ color: withAlpha(colours[colour], 0.75) });
  }, [series, colours, colour]);
  useEffect(() => {
    if (series === null) return;
    const largest = Math.max(...points.map(({ value }) => Math.abs(value)));
    series.applyOptions({ priceFormat: valueFormat(largest, format) });
    series.setData(points.map(({ time, value }) => ({ time: time as UTCTimestamp, value })));
    chart.timeScale().fitContent();
  }, [series, chart, points, format]);
  return null;
}
