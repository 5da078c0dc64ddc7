import type { AutoscaleInfo, UTCTimestamp } from "lightweight-charts";
import { useEffect, useMemo } from "react";
import { type ChartColour, mixColours } from "./chart-colours.ts";
import { type KnownTimePoint, segmentsOf, type TimePoint } from "./segments.ts";
import { useChart, useSeries } from "./time-chart.tsx";
import { valueFormat } from "./value-format.ts";

/** Values to stack, from bottom to top. */
export type StackedValues = readonly number[];

interface StackSeriesProps {
  /** Sorted by time, with at most one point per time. */
  points: readonly TimePoint<StackedValues>[];
  format: (value: number) => string;
  /** The colour of each value, and of the line along their sum. */
  colours: { values: readonly ChartColour[]; sum: ChartColour };
}

/** Values over time as stacked areas in a `TimeChart`, with a line along their sum. */
export function StackSeries({ points, format, colours }: StackSeriesProps) {
  const { chart } = useChart();
  const segments = useMemo(() => segmentsOf(points), [points]);
  const first = points[0]?.time;
  useEffect(() => {
    chart.priceScale("right").applyOptions({ scaleMargins: { top: 0.1, bottom: 0 } });
  }, [chart]);
  useEffect(() => {
    // Refits the chart when the start of the range changes, but not for a new point at the end.
    if (first !== undefined) chart.timeScale().fitContent();
  }, [chart, first]);
  return segments.map((segment) => (
    <Segment key={segment[0]?.time} points={segment} format={format} colours={colours} />
  ));
}

interface SegmentProps extends Omit<StackSeriesProps, "points"> {
  points: readonly KnownTimePoint<StackedValues>[];
}

/**
 * Each area extends from zero to the sum of its value and the values below it, so the highest area is drawn
 * first.
 */
function Segment({ points, format, colours }: SegmentProps) {
  const { values, sum } = colours;
  const areas = useMemo(() => values.map((_, i) => sumsUpTo(points, i)), [points, values]);
  return values
    .map((fill, i) => (
      <Area
        key={fill}
        points={areas[i] ?? []}
        format={format}
        fill={fill}
        line={i === values.length - 1 ? sum : fill}
      />
    ))
    .reverse();
}

function sumsUpTo(points: SegmentProps["points"], place: number) {
  return points.map(({ time, values }) => ({
    time,
    value: values.slice(0, place + 1).reduce((sum, value) => sum + value, 0),
  }));
}

interface AreaProps {
  points: readonly { time: number; value: number }[];
  format: (value: number) => string;
  fill: ChartColour;
  line: ChartColour;
}

/**
 * Share of the area's own colour in its fill. The rest is the panel's colour, because the fill must be
 * opaque.
 */
const FILL = 0.35;

const AREA_OPTIONS = {
  lineWidth: 2,
  priceLineVisible: false,
  lastValueVisible: false,
  autoscaleInfoProvider: fromZero,
} as const;

/** Returns the range of the scale, but starting at zero, because readers compare the sizes of areas. */
function fromZero(original: () => AutoscaleInfo | null): AutoscaleInfo | null {
  const found = original();
  if (found?.priceRange == null) return found;
  return { ...found, priceRange: { minValue: 0, maxValue: found.priceRange.maxValue } };
}

function Area({ points, format, fill, line }: AreaProps) {
  const { chart, colours } = useChart();
  const series = useSeries("Area", AREA_OPTIONS);
  useEffect(() => {
    const area = mixColours(colours[fill], colours.panel, FILL);
    series?.applyOptions({ lineColor: colours[line], topColor: area, bottomColor: area });
  }, [series, colours, fill, line]);
  useEffect(() => {
    if (series === null) return;
    const isFirst = series.data().length === 0;
    series.applyOptions({ priceFormat: valueFormat(points.at(-1)?.value, format) });
    series.setData(points.map(({ time, value }) => ({ time: time as UTCTimestamp, value })));
    if (isFirst) chart.timeScale().fitContent();
  }, [series, chart, points, format]);
  return null;
}
