import type { AutoscaleInfo, UTCTimestamp } from "lightweight-charts";
import { useEffect, useMemo } from "react";
import { type ChartColour, mixColours } from "./chart-colours.ts";
import { type KnownTimePoint, segmentsOf, type TimePoint } from "./segments.ts";
import { useChart, useSeries } from "./time-chart.tsx";
import { valueFormat } from "./value-format.ts";

/** Two values, one upon the other. */
export type StackedValues = readonly [lower: number, upper: number];

interface StackSeriesProps {
  /** In order, one a time. */
  points: readonly TimePoint<StackedValues>[];
  format: (value: number) => string;
  colours: { lower: ChartColour; upper: ChartColour; sum: ChartColour };
}

/** Two values over time as areas, one upon the other, with a line along their sum, in a `TimeChart`. */
export function StackSeries({ points, format, colours }: StackSeriesProps) {
  const { chart } = useChart();
  const runs = useMemo(() => segmentsOf(points), [points]);
  const first = points[0]?.time;
  useEffect(() => {
    chart.priceScale("right").applyOptions({ scaleMargins: { top: 0.1, bottom: 0 } });
  }, [chart]);
  useEffect(() => {
    // Another time, another look; a new point at its end is none.
    if (first !== undefined) chart.timeScale().fitContent();
  }, [chart, first]);
  return runs.map((run) => <Run key={run[0]?.time} run={run} format={format} colours={colours} />);
}

interface RunProps extends Omit<StackSeriesProps, "points"> {
  run: readonly KnownTimePoint<StackedValues>[];
}

function Run({ run, format, colours }: RunProps) {
  const sums = useMemo(
    () => run.map(({ time, values: [lower, upper] }) => ({ time, value: lower + upper })),
    [run],
  );
  const lowers = useMemo(() => run.map(({ time, values: [lower] }) => ({ time, value: lower })), [run]);
  return (
    <>
      <Area points={sums} format={format} fill={colours.upper} line={colours.sum} />
      <Area points={lowers} format={format} fill={colours.lower} line={colours.lower} />
    </>
  );
}

interface AreaProps {
  points: readonly { time: number; value: number }[];
  format: (value: number) => string;
  fill: ChartColour;
  line: ChartColour;
}

/** So much of its colour an area has; the rest is the panel, so that it covers what is behind. */
const FILL = 0.35;

const AREA_OPTIONS = {
  lineWidth: 2,
  priceLineVisible: false,
  lastValueVisible: false,
  autoscaleInfoProvider: fromZero,
} as const;

/** Areas are compared by their size, so that the scale begins at zero. */
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
