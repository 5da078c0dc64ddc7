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

/** A price that stands apart from the candles, at the candle of its time. */
export interface PriceMark {
  id: string;
  /** When the candle begins, unix seconds. */
  time: number;
  price: number;
}

interface CandleSeriesProps {
  /** Oldest first. Other candles than before need another `key`; more of the same do not. */
  candles: readonly Candle[];
  isLog: boolean;
  marks: readonly PriceMark[];
  /** The candle that the keyboard has gone to: it is brought into view, under the crosshair. */
  stepped: Candle | undefined;
  /** The candle that the crosshair is on, null where it is on none; and whether the pointer just moved there. */
  onPoint: (timestampOpen: number | null, isByPointer: boolean) => void;
  /** Which candles are seen, by their places; both may lie beyond the candles there are. */
  onMove: (range: { from: number; to: number }) => void;
}

/** Price candles with their volume below, in a `TimeChart`. The newest are seen first. */
export function CandleSeries({ candles, isLog, marks, stepped, onPoint, onMove }: CandleSeriesProps) {
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
  useStepped({ prices, candles, stepped });
  useMoves(chart, onPoint, onMove);
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

/** The width of a candle with its gap at first, in pixels. */
const WIDTH_AT_FIRST = 9;
const LEAST_AT_FIRST = 30;
/** Room at the right of the newest candle, in candles. */
const ROOM = 4;

interface Drawn {
  prices: ISeriesApi<"Candlestick">;
  candles: readonly Candle[];
  colours: ChartColours;
}

function useCandleData(given: {
  prices: ISeriesApi<"Candlestick"> | null;
  volumes: ISeriesApi<"Histogram"> | null;
  candles: readonly Candle[];
}): void {
  const { prices, volumes, candles } = given;
  const { chart, colours } = useChart();
  const drawn = useRef<Drawn | null>(null);
  useEffect(() => {
    if (prices === null || volumes === null) return;
    const before = drawn.current?.prices === prices ? drawn.current : null;
    drawn.current = { prices, candles, colours };
    const changed = before?.colours === colours ? firstChange(before.candles, candles) : null;
    if (changed === null) {
      prices.applyOptions({ priceFormat: valueFormat(lastPrice(candles), priceText) });
      prices.setData(candles.map(barOf));
      volumes.setData(candles.map((candle) => volumeOf(candle, colours)));
      if (before === null) lookAtNewest(chart, candles.length);
      return;
    }
    for (const candle of candles.slice(changed)) {
      prices.update(barOf(candle));
      volumes.update(volumeOf(candle, colours));
    }
  }, [prices, volumes, chart, candles, colours]);
}

/** Where the candles differ from those before, if it is but at their end: null where all are to be drawn anew. */
function firstChange(before: readonly Candle[], now: readonly Candle[]): number | null {
  if (before.length === 0 || now.length < before.length) return null;
  const changed = now.findIndex((candle, place) => candle !== before[place]);
  if (changed === -1) return now.length;
  return changed >= before.length - 1 ? changed : null;
}

function lookAtNewest(chart: IChartApi, count: number): void {
  const scale = chart.timeScale();
  const fitting = scale.width() / WIDTH_AT_FIRST;
  const seen = Math.max(LEAST_AT_FIRST, Math.min(fitting, count + ROOM));
  scale.setVisibleLogicalRange({ from: count + ROOM - seen, to: count + ROOM });
}

/** The scale goes on below the lowest price, where the volume stands; no price is below zero. */
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
    prices?.applyOptions({ autoscaleInfoProvider: (own: OwnScale) => widened(own(), marks) });
  }, [prices, marks, colours]);
}

type OwnScale = () => AutoscaleInfo | null;

function markerOf({ id, time, price }: PriceMark, color: string): SeriesMarker<Time> {
  const position = "atPriceMiddle";
  return { id, time: time as UTCTimestamp, position, price, shape: "circle", color, size: 0.6 };
}

/** The scale reaches to the marks, which lie beyond the candles. */
function widened(own: AutoscaleInfo | null, marks: readonly PriceMark[]): AutoscaleInfo | null {
  if (own === null || own.priceRange === null || marks.length === 0) return own;
  const all = marks.map(({ price }) => price);
  const minValue = Math.min(own.priceRange.minValue, ...all);
  const maxValue = Math.max(own.priceRange.maxValue, ...all);
  return { ...own, priceRange: { minValue, maxValue } };
}

/** Keeps the crosshair on a candle, also when others come. */
function useStepped(given: {
  prices: ISeriesApi<"Candlestick"> | null;
  candles: readonly Candle[];
  stepped: Candle | undefined;
}): void {
  const { prices, candles, stepped } = given;
  const { chart } = useChart();
  const time = stepped?.timestamp_open;
  useEffect(() => {
    if (prices === null || time === undefined) return;
    const place = candles.findIndex(({ timestamp_open }) => timestamp_open === time);
    bringIntoView(chart, place);
    chart.setCrosshairPosition(lastPrice(candles.slice(0, place + 1)) ?? 0, time as UTCTimestamp, prices);
  }, [chart, prices, candles, time]);
}

function bringIntoView(chart: IChartApi, place: number): void {
  const scale = chart.timeScale();
  const range = scale.getVisibleLogicalRange();
  if (range === null) return;
  const { from, to } = range;
  const shift = place < from ? place - from : place > to ? place - to : 0;
  if (shift !== 0) scale.setVisibleLogicalRange({ from: from + shift, to: to + shift });
}

function useMoves(
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
