/**
 * The trades of one interval. Prices come from trades that have a price; volume and count include all trades.
 */
export interface TradedInterval {
  /** Start of the interval, unix seconds. */
  timestampOpen: number;
  /** Prices of the first and the last trade; null if no trade in the interval has a price. */
  first: number | null;
  last: number | null;
  high: number | null;
  low: number | null;
  volumeUsd: number;
  numTrades: number;
}

/** One interval of a price history. Times are unix seconds, both ends inclusive; prices are USD per token. */
export interface Candle {
  timestampOpen: number;
  timestampClose: number;
  open: number | null;
  high: number | null;
  low: number | null;
  close: number | null;
  volumeUsd: number;
  numTrades: number;
}

/** Consecutive intervals; `firstOpen` and `lastOpen` are the starts of the first and the last one. */
export interface CandleWindow {
  intervalSeconds: number;
  firstOpen: number;
  lastOpen: number;
}

export type OpenMethod = "prev_close" | "first_trade";

interface WindowOptions {
  intervalSeconds: number;
  /** Bounds of the intervals' starts, inclusive, unix seconds. */
  from: number;
  until: number;
  maxSize: number;
  order: "asc" | "desc";
}

/**
 * Returns the intervals of an answer: aligned to the unix epoch, starting within [from, until], none before
 * the interval of the first trade. At most `maxSize`: the newest (desc) or the oldest (asc).
 *
 * @returns null if there are none
 */
export function candleWindow(options: WindowOptions, firstTradeTimestamp: number): CandleWindow | null {
  const { intervalSeconds, from, until, maxSize, order } = options;
  const oldest = Math.max(
    Math.ceil(from / intervalSeconds) * intervalSeconds,
    intervalStart(firstTradeTimestamp, intervalSeconds),
  );
  const newest = intervalStart(until, intervalSeconds);
  if (oldest > newest) return null;
  const span = (maxSize - 1) * intervalSeconds;
  return order === "asc"
    ? { intervalSeconds, firstOpen: oldest, lastOpen: Math.min(newest, oldest + span) }
    : { intervalSeconds, firstOpen: Math.max(oldest, newest - span), lastOpen: newest };
}

/** Returns the start of the interval that contains a time. */
export function intervalStart(timestamp: number, intervalSeconds: number): number {
  return Math.floor(timestamp / intervalSeconds) * intervalSeconds;
}

interface CandleRules {
  /** Last price before the window; null if there is none. */
  previousClose: number | null;
  /** True: an interval without a price repeats the previous close. False: its prices are null. */
  fill: boolean;
  openMethod: OpenMethod;
}

/**
 * Returns one candle for each interval of the window, oldest first. With `fill`, starts with the first candle
 * that has a price, so that no price is null.
 */
export function fillCandles(
  window: CandleWindow,
  traded: readonly TradedInterval[],
  rules: CandleRules,
): Candle[] {
  const byOpen = new Map(traded.map((interval) => [interval.timestampOpen, interval]));
  const candles: Candle[] = [];
  let close = rules.previousClose;
  for (let open = window.firstOpen; open <= window.lastOpen; open += window.intervalSeconds) {
    const interval = byOpen.get(open);
    const next = interval?.last ?? close;
    if (rules.fill && next === null) continue;
    candles.push({
      timestampOpen: open,
      timestampClose: open + window.intervalSeconds - 1,
      ...prices(interval, close, rules),
      volumeUsd: interval?.volumeUsd ?? 0,
      numTrades: interval?.numTrades ?? 0,
    });
    close = next;
  }
  return candles;
}

/**
 * Returns the candles of the intervals that have a price, oldest first, as `fillCandles` does without `fill`.
 * The intervals may be of any length.
 *
 * @param previousClose last price before the intervals; null if there is none
 * @param endOf the exclusive end of the interval that starts at a time
 */
export function pricedCandles(
  traded: readonly TradedInterval[],
  previousClose: number | null,
  endOf: (start: number) => number,
): Candle[] {
  const candles: Candle[] = [];
  let close = previousClose;
  for (const interval of traded) {
    if (interval.last === null) continue;
    candles.push({
      timestampOpen: interval.timestampOpen,
      timestampClose: endOf(interval.timestampOpen) - 1,
      ...prices(interval, close, { fill: false, openMethod: "prev_close" }),
      volumeUsd: interval.volumeUsd,
      numTrades: interval.numTrades,
    });
    close = interval.last;
  }
  return candles;
}

/** Returns the prices of a candle. High and low include the open, even if the open is the previous close. */
function prices(
  interval: TradedInterval | undefined,
  previousClose: number | null,
  { fill, openMethod }: Omit<CandleRules, "previousClose">,
): Pick<Candle, "open" | "high" | "low" | "close"> {
  const { first = null, last = null, high = null, low = null } = interval ?? {};
  if (first === null || last === null || high === null || low === null) {
    const price = fill ? previousClose : null;
    return { open: price, high: price, low: price, close: price };
  }
  const open = openMethod === "prev_close" ? (previousClose ?? first) : first;
  return { open, high: Math.max(high, open), low: Math.min(low, open), close: last };
}
