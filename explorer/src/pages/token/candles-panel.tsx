import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { CandleSeries } from "../../charts/candle-series.tsx";
import { TimeChart } from "../../charts/time-chart.tsx";
import { secondsOf } from "../../format/time.ts";
import type { CandleChoice } from "../../questions/candles.ts";
import { MOST_OUTLIERS, type Outlier, type Outliers, outliersQuestion } from "../../questions/outliers.ts";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { RequestCopy } from "../../ui/request-copy.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { CandleLegend } from "./candle-legend.tsx";
import { CandleTools } from "./candle-tools.tsx";
import styles from "./token.module.css";
import { useToken, useTokenChoices } from "./token-choices.ts";
import { type CandlesShown, useCandles } from "./use-candles.ts";

const HEIGHT = 420;
/** Older candles are asked for when so few are left before the oldest seen. */
const NEAR = 40;

export function CandlesPanel({ symbol }: { symbol: string }) {
  const { chain, address } = useToken();
  const [choices] = useTokenChoices();
  const { pool_address, interval, price_type, open_method, fill } = choices;
  const choice: CandleChoice = {
    chain,
    token_address: address,
    pool_address,
    interval,
    price_type,
    open_method,
    fill,
  };
  const question = { ...choice, max_size: 100, with_volume: true };
  return (
    <Panel
      title={`Price of ${symbol} in USD`}
      actions={<RequestCopy what="candles" request={{ method: "ohlc", question }} />}
    >
      <CandleTools />
      <Candles key={JSON.stringify(choice)} choice={choice} symbol={symbol} />
    </Panel>
  );
}

function Candles({ choice, symbol }: { choice: CandleChoice; symbol: string }) {
  const [{ is_log, outliers: areMarked }] = useTokenChoices();
  const shown = useCandles(choice);
  const { candles } = shown;
  const [pointed, setPointed] = useState<number | null>(null);
  const { range, move } = useSeenRange(shown);
  const { data } = useQuery({
    ...outliersQuestion({
      chain: choice.chain,
      token: choice.token_address,
      pool: choice.pool_address,
      ...range,
    }),
    enabled: areMarked && range.until > 0,
  });
  const outliers = areMarked ? data : undefined;
  const length = SECONDS[choice.interval];
  const marks = useMemo(() => marksOf(outliers?.shown ?? [], length), [outliers, length]);
  if (candles === undefined && shown.error !== null)
    return <ErrorNotice error={shown.error} retry={shown.retry} />;
  if (candles?.length === 0) return <NoCandles choice={choice} />;
  const candle = candles?.find(({ timestamp_open }) => timestamp_open === pointed) ?? candles?.at(-1);
  const near = outliers?.shown.filter((each) => candleTime(each, length) === candle?.timestamp_open);
  return (
    <>
      <CandleLegend candle={candle} outliers={near ?? []} />
      {candles === undefined ? (
        <Skeleton height={HEIGHT} />
      ) : (
        <TimeChart label={`${choice.interval} candles of ${symbol}`} height={HEIGHT}>
          <CandleSeries candles={candles} isLog={is_log} marks={marks} onPoint={setPointed} onMove={move} />
        </TimeChart>
      )}
      <p className={styles.foot} role="status">
        {areMarked ? `${toldOutliers(outliers)} ` : ""}
        {candles === undefined ? "" : toldReach(shown)}
      </p>
    </>
  );
}

function NoCandles({ choice }: { choice: CandleChoice }) {
  const where = choice.pool_address === "all" ? "" : " in this pool";
  return (
    <Notice>
      No trade{where} has a price, so there are no candles. They appear with the first one that has.
    </Notice>
  );
}

/** How long one waits after a move before the outliers of what is seen are asked for. */
const SETTLED_MS = 300;

/** The time that is seen, once it is no longer moved; near its beginning older candles are asked for. */
function useSeenRange(shown: CandlesShown) {
  const latest = useRef(shown);
  latest.current = shown;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [range, setRange] = useState({ from: 0, until: 0 });
  const move = useCallback(({ from, to }: { from: number; to: number }) => {
    if (from < NEAR) latest.current.loadOlder();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const candles = latest.current.candles ?? [];
      const first = candles[Math.max(0, Math.floor(from))];
      const last = candles[Math.min(candles.length - 1, Math.ceil(to))];
      setRange({ from: first?.timestamp_open ?? 0, until: last?.timestamp_close ?? 0 });
    }, SETTLED_MS);
  }, []);
  return { range, move };
}

const SECONDS = { "1m": 60, "5m": 300, "15m": 900, "1h": 3600, "4h": 14_400, "1d": 86_400 } as const;

function candleTime({ timestamp }: Outlier, length: number): number {
  const seconds = secondsOf(timestamp);
  return seconds - (seconds % length);
}

function marksOf(outliers: readonly Outlier[], length: number) {
  return outliers.map((outlier) => ({
    id: String(outlier.record_index),
    time: candleTime(outlier, length),
    price: outlier.price_token_usd_tick_1,
  }));
}

function toldOutliers(outliers: Outliers | undefined): string {
  if (outliers === undefined) return "Looking for outliers.";
  const { shown, count } = outliers;
  if (count === 0) return "No outliers in the time shown.";
  if (count === shown.length)
    return `${count} trades in the time shown are not counted in robust prices: all are marked.`;
  return `${count} trades in the time shown are not counted in robust prices: the ${MOST_OUTLIERS} largest are marked.`;
}

function toldReach({ candles = [], hasOlder, isLoadingOlder, error }: CandlesShown): string {
  if (error !== null) return `New candles could not be asked for: ${error.message}`;
  if (isLoadingOlder) return "Loading older candles.";
  return hasOlder ? "" : `All ${candles.length} candles since the first trade.`;
}
