import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSnapshot } from "../snapshot/snapshot.ts";
import { ETH, hexOf, type Market, openMarket, type Trade } from "../support/market.ts";
import { POOLS, priceOf, randomTrades, SPAN, START, TOKENS } from "../support/random-trades.ts";
import type { Candle } from "./candles.ts";
import { VolumeSum, volumeOf } from "./exact-volume.ts";
import { type OhlcQuery, readOhlc } from "./ohlc.ts";

/**
 * Number of queries for each invariant of the candles. A few suffice, because another test compares many more
 * queries with `expected`, and the invariants follow from its rules. The invariants would reveal an error
 * that both implementations share.
 */
const INVARIANT_RUNS = 10;

const trades = randomTrades(300);
let market: Market;

const read = async (query: OhlcQuery) =>
  (await readSnapshot(market, ETH.name, {}, (snapshot) => readOhlc(snapshot, query))).answer;

/**
 * A second implementation of the rules, without shortcuts: computes each interval in turn, from the first one
 * on.
 */
function expected(query: OhlcQuery): Candle[] {
  const { token, pool, intervalSeconds: length } = query;
  const mine = trades.filter((trade) => trade.token === token && (pool === "all" || trade.pool === pool));
  const candles: Candle[] = [];
  let before: number | null = null;
  const counts = mine.find((trade) => !query.fill || priceOf(trade, query.priceType) !== null);
  const first = counts?.at ?? Number.POSITIVE_INFINITY;
  for (let start = first - (first % length); start <= query.until; start += length) {
    const inside = mine.filter(({ at }) => at >= start && at < start + length);
    const prices = pricesOf(inside, query);
    if (start >= query.from) candles.push(candleOf(start, { inside, prices, before, query }));
    before = prices.at(-1) ?? before;
  }
  return (query.order === "asc" ? candles : candles.reverse()).slice(0, query.maxSize);
}

function pricesOf(inside: Trade[], { priceType }: OhlcQuery): number[] {
  return inside.map((trade) => priceOf(trade, priceType)).filter((price) => price !== null);
}

interface Interval {
  inside: Trade[];
  prices: number[];
  before: number | null;
  query: OhlcQuery;
}

function candleOf(start: number, { inside, prices, before, query }: Interval): Candle {
  const known = before === null ? [] : [before];
  const opening = query.openMethod === "prev_close" ? known : [];
  const points = prices.length > 0 ? [...opening, ...prices] : query.fill ? known : [];
  return {
    timestampOpen: start,
    timestampClose: start + query.intervalSeconds - 1,
    open: points[0] ?? null,
    high: points.length > 0 ? Math.max(...points) : null,
    low: points.length > 0 ? Math.min(...points) : null,
    close: points.at(-1) ?? null,
    volumeUsd: volumeIn(inside),
    numTrades: inside.length,
  };
}

function volumeIn(inside: Trade[]): number {
  const sum = new VolumeSum();
  for (const { usd } of inside) sum.add(usd ?? 0);
  return volumeOf(sum.units);
}

const time = fc.integer({ min: START - 1000, max: START + SPAN + 5000 });

const queries: fc.Arbitrary<OhlcQuery> = fc
  .record({
    token: fc.constantFrom(...TOKENS, hexOf(0xdead)),
    pool: fc.constantFrom("all" as const, "all" as const, ...POOLS),
    priceType: fc.constantFrom("price_token_usd_tick_1" as const, "price_token_usd_robust_tick_1" as const),
    intervalSeconds: fc.constantFrom(60, 300, 420, 3600, 86_400),
    from: fc.oneof(fc.constant(0), time),
    until: time,
    maxSize: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(2500)),
    order: fc.constantFrom("asc" as const, "desc" as const),
    fill: fc.boolean(),
    openMethod: fc.constantFrom("prev_close" as const, "first_trade" as const),
  })
  .filter(({ from, until }) => from <= until);

describe.each([
  { store: "without a summary", summarized: false },
  { store: "with a summary", summarized: true },
])("candles of a store $store", ({ summarized }) => {
  beforeAll(async () => {
    market = await openMarket(trades, { summarized });
  });
  afterAll(() => market.close());

  describe("readOhlc", () => {
    it("equals the rules applied trade by trade, for any query", async () => {
      let candles = 0;
      await fc.assert(
        fc.asyncProperty(queries, async (query) => {
          const answer = await read(query);
          expect(answer).toEqual(expected(query));
          candles += answer.length;
        }),
        { numRuns: 150, seed: 7 },
      );
      expect(candles).toBeGreaterThan(1000);
    });
  });

  describe("invariants of price histories", () => {
    const holds = (invariant: (query: OhlcQuery) => Promise<void>) =>
      fc.assert(fc.asyncProperty(queries, invariant), { numRuns: INVARIANT_RUNS, seed: 11 });
    const whole = { from: 0, until: START + SPAN + 5000, maxSize: 2500, order: "asc" } as const;

    it("low <= open, close <= high; all four are null or none", () =>
      holds(async (query) => {
        for (const candle of await read(query)) {
          const known = prices(candle);
          expect([0, 4]).toContain(known.length);
          expect(known.every((price) => price <= Number(candle.high) && price >= Number(candle.low))).toBe(
            true,
          );
        }
      }));

    it("newest first is the reverse of oldest first", () =>
      holds(async (query) => {
        const all = { ...query, maxSize: 2500 };
        const [ascending, descending] = [
          await read({ ...all, order: "asc" }),
          await read({ ...all, order: "desc" }),
        ];
        if (ascending.length < 2500) expect(descending).toEqual(ascending.toReversed());
      }));

    it("filling adds no volume, and does not change candles with trades", () =>
      holds(async (query) => {
        const all = { ...query, ...whole };
        const [filled, bare] = [await read({ ...all, fill: true }), await read({ ...all, fill: false })];
        const unpriced = bare.findIndex(({ close }) => close !== null);
        const kept = unpriced === -1 ? [] : bare.slice(unpriced).slice(0, filled.length);
        expect(filled.length).toBe(kept.length);
        for (const [i, candle] of kept.entries()) {
          expect(filled[i]).toEqual(candle.close === null ? { ...filled[i], ...tradedIn(candle) } : candle);
        }
      }));

    it("coarse candles are the aggregation of fine ones", () =>
      holds(async (query) => {
        const all = { ...query, ...whole, fill: false };
        const coarse = await read({ ...all, intervalSeconds: 3600 });
        const fine = await read({ ...all, intervalSeconds: 300 });
        for (const candle of coarse) {
          const inside = fine.filter(
            ({ timestampOpen: open }) => open >= candle.timestampOpen && open <= candle.timestampClose,
          );
          expect(candle).toMatchObject(aggregated(inside));
        }
      }));

    it("an interval that from and until cut at both ends is still complete", () =>
      holds(async (query) => {
        const all = await read({ ...query, ...whole });
        const one = all[Math.floor(all.length / 2)];
        if (one === undefined) return;
        const { timestampOpen: from, timestampClose: until } = one;
        expect(await read({ ...query, from, until: from, maxSize: 1 })).toEqual([one]);
        expect(await read({ ...query, from, until, maxSize: 1 })).toEqual([one]);
        expect(await read({ ...query, from: from + 1, until, maxSize: 1 })).toEqual([]);
      }));
  });
});

const prices = ({ open, high, low, close }: Candle) =>
  [open, high, low, close].filter((price) => price !== null);

/** Combines several candles, oldest first, into one. */
function aggregated(candles: Candle[]): Partial<Candle> {
  const priced = candles.filter(({ close }) => close !== null);
  const points = priced.flatMap(prices);
  return {
    open: priced.at(0)?.open ?? null,
    high: points.length > 0 ? Math.max(...points) : null,
    low: points.length > 0 ? Math.min(...points) : null,
    close: priced.at(-1)?.close ?? null,
    volumeUsd: candles.reduce((sum, { volumeUsd }) => sum + volumeUsd, 0),
    numTrades: candles.reduce((sum, { numTrades }) => sum + numTrades, 0),
  };
}

function tradedIn({ volumeUsd, numTrades }: Candle): Pick<Candle, "volumeUsd" | "numTrades"> {
  return { volumeUsd, numTrades };
}
