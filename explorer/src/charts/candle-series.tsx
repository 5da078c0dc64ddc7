import type { Candle } from "@quarry/sdk";
import type {
  AutoscaleInfo,
  IChartApi,
  ISeriesApi,
  ISeriesMarkersPluginApi,
  LogicalRange,
  MouseEventParams,
  SeriesMarker,
  Time,
  UTCTimestamp,
} from "lightweight-charts";
import { useEffect, useRef } from "react";
import { formatPrice } from "../format/number.ts";
import { type ChartColours, withAlpha } from "./chart-colours.ts";
import { useChart, useSeries } from "./time-chart.tsx";
import { valueFormat } from "./value-format.ts";

/** A price outside the candles, marked at the time of its candle. */
export interface PriceMark {
  id: string;
  /** Start of the candle in unix seconds. */
  time: number;
  price: number;
}

interface CandleSeriesProps {
  /**
   * Oldest first. To show another series, change the component's `key`; to add candles to the same series,
   * keep it.
   */
  candles: readonly Candle[];
  isLog: boolean;
  marks: readonly PriceMark[];
  /** The candle selected with the keyboard. It is scrolled into view and gets the crosshair. */
  focused: Candle | undefined;
  /**
   * Called with the start of the candle under the crosshair (or null), and whether the pointer has just moved
   * there.
   */
  onPoint: (timestampOpen: number | null, isByPointer: boolean) => void;
  /**
   * Called with the indexes of the first and last visible candle; both may lie outside the existing candles.
   */
  onMove: (range: { from: number; to: number }) => void;
}

/** Price candles with their volume below, in a `TimeChart`. Initially the newest candles are visible. */
export function CandleSeries({ candles, isLog, marks, focused, onPoint, onMove }: CandleSeriesProps) {
  const { library, chart, colours } = useChart();
  const prices = useSeries("Candlestick", {});
  const volumes = useSeries("Histogram", VOLUME_OPTIONS);
  useColours(prices, colours);
  useCandleData({ prices, volumes, candles });
  useMarks(prices, marks);
  useEffect(() => {
    chart.priceScale("right").applyOptions({
      mode: isLog ? library.PriceScaleMode.Logarithmic : library.PriceScaleMode.Normal,
      scaleMargins: { top: 0.06, bottom: 0.24 },
    });
  }, [chart, library, isLog]);
  useEffect(() => {
    volumes?.priceScale().applyOptions({ scaleMargins: { top: 0.8, bottom: 0 } });
  }, [volumes]);
  useFocusedCandle({ prices, candles, focused });
  useChartEvents(chart, onPoint, onMove);
  return null;
}

const VOLUME_OPTIONS = {
  priceScaleId: "volume",
  priceFormat: { type: "volume" },
  lastValueVisible: false,
  priceLineVisible: false,
} as const;

function useColours(prices: ISeriesApi<"Candlestick"> | null, { up, down }: ChartColours): void {
  useEffect(() => {
    prices?.applyOptions({
      upColor: up,
      wickUpColor: up,
      borderUpColor: up,
      downColor: down,
      wickDownColor: down,
      borderDownColor: down,
    });
  }, [prices, up, down]);
}

/** Initial width of a candle including its gap, in pixels. */
const INITIAL_WIDTH = 9;
const MIN_INITIAL_CANDLES = 30;
/** Margin to the right of the newest candle, in candles. */
const MARGIN = 4;

interface DrawnCandles {
  prices: ISeriesApi<"Candlestick">;
  candles: readonly Candle[];
  colours: ChartColours;
}

function useCandleData(options: {
  prices: ISeriesApi<"Candlestick"> | null;
  volumes: ISeriesApi<"Histogram"> | null;
  candles: readonly Candle[];
}): void {
  const { prices, volumes, candles } = options;
  const { chart, colours } = useChart();
  const drawn = useRef<DrawnCandles | null>(null);
  useEffect(() => {
    if (prices === null || volumes === null) return;
    const before = drawn.current?.prices === prices ? drawn.current : null;
    drawn.current = { prices, candles, colours };
    const changed = before?.colours === colours ? firstChange(before.candles, candles) : null;
    if (changed === null) {
      prices.applyOptions({ priceFormat: valueFormat(lastPrice(candles), priceText) });
      prices.setData(candles.map(barOf));
      volumes.setData(candles.map((candle) => volumeOf(candle, colours)));
      if (before === null) showNewest(chart, candles.length);
      return;
    }
    for (const candle of candles.slice(changed)) {
      prices.update(barOf(candle));
      volumes.update(volumeOf(candle, colours));
    }
  }, [prices, volumes, chart, candles, colours]);
}

/**
 * Returns the index of the first changed candle, or the number of candles if none has changed; null if all
 * candles must be redrawn, for example because an older one has changed.
 */
function firstChange(before: readonly Candle[], now: readonly Candle[]): number | null {
  if (before.length === 0 || now.length < before.length) return null;
  const changed = now.findIndex((candle, index) => candle !== before[index]);
  if (changed === -1) return now.length;
  return changed >= before.length - 1 ? changed : null;
}

function showNewest(chart: IChartApi, count: number): void {
  const scale = chart.timeScale();
  const fitting = scale.width() / INITIAL_WIDTH;
  const visible = Math.max(MIN_INITIAL_CANDLES, Math.min(fitting, count + MARGIN));
  scale.setVisibleLogicalRange({ from: count + MARGIN - visible, to: count + MARGIN });
}

/**
 * Formats a label of the price scale. The scale extends below the lowest price, behind the volume, so labels
 * below zero are left empty.
 */
function priceText(price: number): string {
  return price < 0 ? "" : formatPrice(price);
}

function lastPrice(candles: readonly Candle[]): number | null {
  return candles.findLast(({ price_close }) => price_close !== null)?.price_close ?? null;
}

function barOf(candle: Candle) {
  const time = candle.timestamp_open as UTCTimestamp;
  const { price_open: open, price_high: high, price_low: low, price_close: close } = candle;
  if (open === null || high === null || low === null || close === null) return { time };
  return { time, open, high, low, close };
}

function volumeOf(candle: Candle, { up, down }: ChartColours) {
  const time = candle.timestamp_open as UTCTimestamp;
  const isDown = (candle.price_close ?? 0) < (candle.price_open ?? 0);
  return { time, value: candle.volume ?? 0, color: withAlpha(isDown ? down : up, 0.4) };
}

function useMarks(prices: ISeriesApi<"Candlestick"> | null, marks: readonly PriceMark[]): void {
  const { library, colours } = useChart();
  const plugin = useRef<ISeriesMarkersPluginApi<Time> | null>(null);
  useEffect(() => {
    plugin.current = prices === null ? null : library.createSeriesMarkers(prices, []);
  }, [library, prices]);
  useEffect(() => {
    plugin.current?.setMarkers(marks.map((mark) => markerOf(mark, colours.warn)));
    prices?.applyOptions({ autoscaleInfoProvider: (own: AutoScale) => withMarks(own(), marks) });
  }, [prices, marks, colours]);
}

type AutoScale = () => AutoscaleInfo | null;

function markerOf({ id, time, price }: PriceMark, color: string): SeriesMarker<Time> {
  const position = "atPriceMiddle";
  return { id, time: time as UTCTimestamp, position, price, shape: "circle", color, size: 0.6 };
}

/** Returns the range of the price scale, extended to include the marks, which lie outside the candles. */
function withMarks(own: AutoscaleInfo | null, marks: readonly PriceMark[]): AutoscaleInfo | null {
  if (own === null || own.priceRange === null || marks.length === 0) return own;
  const all = marks.map(({ price }) => price);
  const minValue = Math.min(own.priceRange.minValue, ...all);
  const maxValue = Math.max(own.priceRange.maxValue, ...all);
  return { ...own, priceRange: { minValue, maxValue } };
}

/** Keeps the crosshair on a candle, even when new ones arrive. */
function useFocusedCandle(options: {
  prices: ISeriesApi<"Candlestick"> | null;
  candles: readonly Candle[];
  focused: Candle | undefined;
}): void {
  const { prices, candles, focused } = options;
  const { chart } = useChart();
  const time = focused?.timestamp_open;
  useEffect(() => {
    if (prices === null || time === undefined) return;
    const index = candles.findIndex(({ timestamp_open }) => timestamp_open === time);
    scrollIntoView(chart, index);
    chart.setCrosshairPosition(lastPrice(candles.slice(0, index + 1)) ?? 0, time as UTCTimestamp, prices);
  }, [chart, prices, candles, time]);
}

function scrollIntoView(chart: IChartApi, index: number): void {
  const scale = chart.timeScale();
  const range = scale.getVisibleLogicalRange();
  if (range === null) return;
  const { from, to } = range;
  const shift = index < from ? index - from : index > to ? index - to : 0;
  if (shift !== 0) scale.setVisibleLogicalRange({ from: from + shift, to: to + shift });
}

function useChartEvents(
  chart: IChartApi,
  onPoint: CandleSeriesProps["onPoint"],
  onMove: CandleSeriesProps["onMove"],
): void {
  useEffect(() => {
    const point = ({ time, sourceEvent }: MouseEventParams) =>
      onPoint(typeof time === "number" ? time : null, sourceEvent !== undefined);
    chart.subscribeCrosshairMove(point);
    return () => chart.unsubscribeCrosshairMove(point);
  }, [chart, onPoint]);
  useEffect(() => {
    const scale = chart.timeScale();
    const move = (range: LogicalRange | null) => range !== null && onMove(range);
    scale.subscribeVisibleLogicalRangeChange(move);
    return () => scale.unsubscribeVisibleLogicalRangeChange(move);
  }, [chart, onMove]);
}
