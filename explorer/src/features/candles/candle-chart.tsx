import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { CandleSeries } from "../../charts/candle-series.tsx";
import { TimeChart } from "../../charts/time-chart.tsx";
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

/** The chart with its legend above and the line below. */
export function candleChartHeight(height: number): number {
  return height + 72;
}

interface CandleChartProps {
  /** Another choice needs another `key`. */
  choice: CandleOptions;
  /** Of the chart alone, in pixels. */
  height: number;
  /** What the candles are of, for those who cannot see it. */
  of: string;
  isLog?: boolean;
  areOutliersMarked?: boolean;
  /** Said where there are no candles. */
  empty: ReactNode;
}

/** Candles of which the last is live; older ones come as one goes back in time. */
export function CandleChart({ choice, height, of, empty, ...look }: CandleChartProps) {
  const { isLog = false, areOutliersMarked = false } = look;
  const shown = useCandles(choice);
  const { candles } = shown;
  const pointed = useActiveCandle(candles);
  const { range, move } = useVisibleRange(shown);
  const outliers = useOutliers(choice, range, areOutliersMarked);
  const length = CANDLE_SECONDS[choice.interval];
  const marks = useMemo(() => marksOf(outliers?.shown ?? [], length), [outliers, length]);
  if (candles === undefined && shown.error !== null)
    return <ErrorNotice error={shown.error} retry={shown.retry} />;
  if (candles?.length === 0) return <Notice>{empty}</Notice>;
  const candle = pointed.candle ?? candles?.at(-1);
  const near = outliers?.shown.filter((each) => candleStart(each, length) === candle?.timestamp_open);
  const stepped = pointed.isByKeys ? pointed.candle : undefined;
  return (
    <>
      <CandleLegend candle={candle} outliers={near ?? []} />
      {candles === undefined ? (
        <Skeleton height={height} />
      ) : (
        <TimeChart label={`${choice.interval} candles of ${of}`} height={height} stepping={pointed}>
          <CandleSeries
            candles={candles}
            isLog={isLog}
            marks={marks}
            stepped={stepped}
            onPoint={pointed.point}
            onMove={move}
          />
        </TimeChart>
      )}
      <p className="visually-hidden" aria-live="polite">
        {stepped === undefined ? "" : candleText(stepped)}
      </p>
      <p className={styles.foot} role="status">
        {areOutliersMarked ? `${outliersText(outliers)} ` : ""}
        {candles === undefined ? "" : reachText(shown)}
      </p>
    </>
  );
}

/** Those of the time that is seen; undefined where they are not marked. */
function useOutliers(
  choice: CandleOptions,
  range: { from: number; until: number },
  areMarked: boolean,
): Outliers | undefined {
  const { chain, token_address: token, pool_address: pool } = choice;
  const { data } = useQuery({
    ...outliersQuery({ chain, token, pool, ...range }),
    enabled: areMarked && range.until > 0,
  });
  return areMarked ? data : undefined;
}

function reachText({ candles = [], hasOlder, isLoadingOlder, error }: LoadedCandles): string {
  if (error !== null) return `New candles could not be asked for: ${error.message}`;
  if (isLoadingOlder) return "Loading older candles.";
  return hasOlder ? "" : `All ${candles.length} candles since the first trade.`;
}
