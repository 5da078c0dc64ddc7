import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { CandleSeries } from "../../charts/candle-series.tsx";
import { TimeChart } from "../../charts/time-chart.tsx";
import { formatCount } from "../../format/number.ts";
import { CANDLE_SECONDS } from "../../queries/market/candle-intervals.ts";
import type { CandleOptions } from "../../queries/market/candles.ts";
import { type Outliers, outliersQuery } from "../../queries/market/outliers.ts";
import { ErrorNotice, Notice } from "../../ui/feedback/notice.tsx";
import { Skeleton } from "../../ui/feedback/query-content.tsx";
import styles from "./candle-chart.module.css";
import { CandleLegend, candleText } from "./candle-legend.tsx";
import { candleStart, marksOf, outliersText } from "./outlier-marks.ts";
import { useActiveCandle } from "./use-active-candle.ts";
import { type LoadedCandles, useCandles } from "./use-candles.ts";
import { useVisibleRange } from "./use-visible-range.ts";

/** Returns the height of the chart including the legend above and the status line below, in pixels. */
export function candleChartHeight(height: number): number {
  return height + 72;
}

interface CandleChartProps {
  /** To change the options, change the component's `key` as well. */
  options: CandleOptions;
  /** Height of the chart without legend and status line, in pixels. */
  height: number;
  /** The token or pool whose prices are shown, for screen readers. */
  subject: string;
  isLog?: boolean;
  areOutliersMarked?: boolean;
  /** Shown if there are no candles. */
  empty: ReactNode;
}

/** Shows candles; the last one is live, and older ones load as the user scrolls back in time. */
export function CandleChart({ options, height, subject, empty, ...appearance }: CandleChartProps) {
  const { isLog = false, areOutliersMarked = false } = appearance;
  const history = useCandles(options);
  const { candles } = history;
  const active = useActiveCandle(candles);
  const { range, move } = useVisibleRange(history);
  const outliers = useOutliers(options, range, areOutliersMarked);
  const length = CANDLE_SECONDS[options.interval];
  const marks = useMemo(() => marksOf(outliers?.shown ?? [], length), [outliers, length]);
  if (candles === undefined && history.error !== null)
    return <ErrorNotice error={history.error} retry={history.retry} />;
  if (candles?.length === 0) return <Notice>{empty}</Notice>;
  const candle = active.candle ?? candles?.at(-1);
  const candleOutliers = outliers?.shown.filter(
    (each) => candleStart(each, length) === candle?.timestamp_open,
  );
  const focused = active.isByKeyboard ? active.candle : undefined;
  return (
    <>
      <CandleLegend candle={candle} outliers={candleOutliers ?? []} />
      {candles === undefined ? (
        <Skeleton height={height} />
      ) : (
        <TimeChart label={`${options.interval} candles of ${subject}`} height={height} keyboardSteps={active}>
          <CandleSeries
            candles={candles}
            isLog={isLog}
            marks={marks}
            focused={focused}
            onPoint={active.point}
            onMove={move}
          />
        </TimeChart>
      )}
      <p className="visually-hidden" aria-live="polite">
        {focused === undefined ? "" : candleText(focused)}
      </p>
      <p className={styles.foot} role="status">
        {areOutliersMarked ? `${outliersText(outliers)} ` : ""}
        {candles === undefined ? "" : rangeText(history)}
      </p>
    </>
  );
}

/** Returns the outliers in the visible range; undefined if they are not marked or not loaded. */
function useOutliers(
  options: CandleOptions,
  range: { from: number; until: number },
  areMarked: boolean,
): Outliers | undefined {
  const { chain, token_address: token, pool_address: pool } = options;
  const { data } = useQuery({
    ...outliersQuery({ chain, token, pool, ...range }),
    enabled: areMarked && range.until > 0,
  });
  return areMarked ? data : undefined;
}

function rangeText({ candles = [], hasOlder, isLoadingOlder, error }: LoadedCandles): string {
  if (error !== null) return `Could not load new candles: ${error.message}`;
  if (isLoadingOlder) return "Loading older candles…";
  if (hasOlder) return "";
  return candles.length === 1
    ? "The only candle since the first trade."
    : `All ${formatCount(candles.length)} candles since the first trade.`;
}
