import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grouped } from "../../lib/collections/grouped.ts";
import { candleWindow, fillCandles, intervalStart, type TradedInterval } from "./candles.ts";

const MINUTE = 60;
const rules = { previousClose: null, fill: true, openMethod: "prev_close" } as const;
const window = (firstOpen: number, lastOpen: number) => ({ intervalSeconds: MINUTE, firstOpen, lastOpen });

/** Returns an interval with one trade of one US dollar at each of these prices. */
function traded(timestampOpen: number, ...prices: number[]): TradedInterval {
  return {
    timestampOpen,
    first: prices.at(0) ?? null,
    last: prices.at(-1) ?? null,
    high: prices.length > 0 ? Math.max(...prices) : null,
    low: prices.length > 0 ? Math.min(...prices) : null,
    volumeUsd: prices.length,
    numTrades: prices.length,
  };
}

const ohlcOf = (candle: { open: unknown; high: unknown; low: unknown; close: unknown } | undefined) => [
  candle?.open,
  candle?.high,
  candle?.low,
  candle?.close,
];

describe("candleWindow", () => {
  const options = { intervalSeconds: MINUTE, from: 0, until: 600, maxSize: 100, order: "desc" } as const;

  it("starts at the interval of the first trade, not before", () => {
    expect(candleWindow(options, 185)).toEqual(window(180, 600));
  });

  it("ends with the interval that contains until, traded or not", () => {
    expect(candleWindow({ ...options, until: 659 }, 0)).toEqual(window(0, 600));
    expect(candleWindow({ ...options, until: 660 }, 0)).toEqual(window(0, 660));
  });

  it("includes a start that equals from, and none before it", () => {
    expect(candleWindow({ ...options, from: 120 }, 0)?.firstOpen).toBe(120);
    expect(candleWindow({ ...options, from: 121 }, 0)?.firstOpen).toBe(180);
  });

  it("keeps the newest intervals when descending, the oldest when ascending", () => {
    expect(candleWindow({ ...options, maxSize: 3 }, 0)).toEqual(window(480, 600));
    expect(candleWindow({ ...options, maxSize: 3, order: "asc" }, 70)).toEqual(window(60, 180));
    expect(candleWindow({ ...options, maxSize: 1 }, 0)).toEqual(window(600, 600));
  });

  it("is empty when no interval starts between from and until, or the first trade is later", () => {
    expect(candleWindow({ ...options, from: 601, until: 659 }, 0)).toBeNull();
    expect(candleWindow(options, 660)).toBeNull();
    expect(candleWindow(options, 659)).toEqual(window(600, 600));
  });

  it("aligns long intervals to the epoch", () => {
    const year = 365 * 86_400;
    expect(intervalStart(1_704_412_800, year)).toBe(54 * year);
  });
});

describe("fillCandles", () => {
  it("opens at the previous close, and includes the open in high and low", () => {
    const candles = fillCandles(window(0, 60), [traded(0, 10, 12, 11), traded(60, 20, 22, 21)], rules);
    expect(candles.map(ohlcOf)).toEqual([
      [10, 12, 10, 11],
      [11, 22, 11, 21],
    ]);
  });

  it("opens at the first trade with that open method", () => {
    const first = { ...rules, openMethod: "first_trade" } as const;
    const candles = fillCandles(window(0, 60), [traded(0, 10, 11), traded(60, 20, 21)], first);
    expect(candles.map(ohlcOf)).toEqual([
      [10, 11, 10, 11],
      [20, 21, 20, 21],
    ]);
  });

  it("uses the close before the window for the first open and the first fill", () => {
    const withClose = { ...rules, previousClose: 7 };
    expect(fillCandles(window(0, 60), [traded(60, 9)], withClose).map(ohlcOf)).toEqual([
      [7, 7, 7, 7],
      [7, 9, 7, 9],
    ]);
  });

  it("repeats the last close over any number of empty intervals, without volume", () => {
    const candles = fillCandles(window(0, 180), [traded(0, 5, 6)], rules);
    expect(candles.slice(1).map(ohlcOf)).toEqual([
      [6, 6, 6, 6],
      [6, 6, 6, 6],
      [6, 6, 6, 6],
    ]);
    expect(candles.slice(1).every(({ volumeUsd, numTrades }) => volumeUsd === 0 && numTrades === 0)).toBe(
      true,
    );
  });

  it("leaves empty intervals without prices when not filling; the next open is still the previous close", () => {
    const candles = fillCandles(window(0, 120), [traded(0, 5), traded(120, 8)], { ...rules, fill: false });
    expect(candles.map(ohlcOf)).toEqual([
      [5, 5, 5, 5],
      [null, null, null, null],
      [5, 8, 5, 8],
    ]);
    expect(candles[1]).toMatchObject({ volumeUsd: 0, numTrades: 0 });
  });

  it("begins with the first price when filling", () => {
    const unpriced = { ...traded(60), volumeUsd: 3, numTrades: 2 };
    const filled = fillCandles(window(0, 180), [unpriced, traded(120, 8)], rules);
    expect(filled.map(({ timestampOpen, close }) => [timestampOpen, close])).toEqual([
      [120, 8],
      [180, 8],
    ]);
    expect(fillCandles(window(0, 180), [unpriced], rules)).toEqual([]);
  });

  it("includes trades without a price in volume, but not in prices", () => {
    const unpriced = { ...traded(60), volumeUsd: 3, numTrades: 2 };
    const candles = fillCandles(window(0, 60), [traded(0, 5), unpriced], rules);
    expect(candles[1]).toMatchObject({ open: 5, high: 5, low: 5, close: 5, volumeUsd: 3, numTrades: 2 });
    const bare = fillCandles(window(60, 60), [unpriced], { ...rules, fill: false });
    expect(bare.map(ohlcOf)).toEqual([[null, null, null, null]]);
  });

  it("ends each interval a second before the next", () => {
    expect(fillCandles(window(0, 60), [], { ...rules, previousClose: 7 })).toMatchObject([
      { timestampOpen: 0, timestampClose: 59 },
      { timestampOpen: 60, timestampClose: 119 },
    ]);
  });
});

describe("invariants of candles", () => {
  const trade = fc.record({
    timestamp: fc.integer({ min: 0, max: 3600 }),
    price: fc.option(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), { freq: 4 }),
  });
  const trades = fc
    .array(trade, { minLength: 1, maxLength: 60 })
    .map((list) => list.sort((a, b) => a.timestamp - b.timestamp));
  type Trades = { timestamp: number; price: number | null }[];

  function candlesOf(
    list: Trades,
    intervalSeconds: number,
    variant: { fill: boolean; openMethod: "prev_close" | "first_trade" },
  ) {
    const byOpen = grouped(list, ({ timestamp }) => intervalStart(timestamp, intervalSeconds));
    const intervals = [...byOpen].map(([open, inside]) => ({
      ...traded(open, ...inside.map(({ price }) => price).filter((price) => price !== null)),
      volumeUsd: inside.length,
      numTrades: inside.length,
    }));
    const options = { intervalSeconds, from: 0, until: 3600, maxSize: 2500, order: "asc" } as const;
    const range = candleWindow(options, list[0]?.timestamp ?? 0);
    return range === null ? [] : fillCandles(range, intervals, { previousClose: null, ...variant });
  }

  const variants = fc.record({
    fill: fc.boolean(),
    openMethod: fc.constantFrom("prev_close" as const, "first_trade" as const),
  });

  it("low <= open, close <= high; all four or none are null", () => {
    fc.assert(
      fc.property(trades, variants, (list, variant) => {
        for (const { open, high, low, close } of candlesOf(list, 60, variant)) {
          const given = [open, high, low, close].filter((price) => price !== null);
          expect([0, 4]).toContain(given.length);
          if (open === null || high === null || low === null || close === null) continue;
          expect(low).toBeLessThanOrEqual(Math.min(open, close));
          expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
        }
      }),
    );
  });

  it("filling changes neither volume nor candles with trades", () => {
    fc.assert(
      fc.property(trades, (list) => {
        const filled = candlesOf(list, 60, { fill: true, openMethod: "prev_close" });
        const bare = candlesOf(list, 60, { fill: false, openMethod: "prev_close" });
        const first = bare.findIndex(({ close }) => close !== null);
        const kept = first === -1 ? [] : bare.slice(first);
        expect(filled.map(({ volumeUsd }) => volumeUsd)).toEqual(kept.map(({ volumeUsd }) => volumeUsd));
        expect(filled).toEqual(expect.arrayContaining(kept.filter(({ close }) => close !== null)));
        expect(filled.filter(({ close }) => close === null)).toEqual([]);
      }),
    );
  });

  it("hourly candles are the aggregation of minute candles", () => {
    fc.assert(
      fc.property(trades, (list) => {
        const variant = { fill: false, openMethod: "first_trade" } as const;
        const fine = grouped(candlesOf(list, 60, variant), (candle) =>
          intervalStart(candle.timestampOpen, 600),
        );
        for (const coarse of candlesOf(list, 600, variant)) {
          const inside = fine.get(coarse.timestampOpen) ?? [];
          const priced = inside.filter(({ close }) => close !== null);
          expect(coarse.numTrades).toBe(inside.reduce((sum, { numTrades }) => sum + numTrades, 0));
          expect(coarse.open).toBe(priced.at(0)?.open ?? null);
          expect(coarse.close).toBe(priced.at(-1)?.close ?? null);
          expect(coarse.high ?? Number.NEGATIVE_INFINITY).toBe(
            Math.max(...priced.map(({ high }) => Number(high))),
          );
          expect(coarse.low ?? Number.POSITIVE_INFINITY).toBe(
            Math.min(...priced.map(({ low }) => Number(low))),
          );
        }
      }),
    );
  });
});
