import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { TRADE_PRICES, type TradePrice } from "../../schema/trade-price.ts";
import { readSnapshot, type Snapshot } from "../snapshot/snapshot.ts";
import { ETH, hexOf, type Market, openMarket, type Trade } from "../support/market.ts";
import { POOLS, priceOf, randomTrades, SPAN, START, TOKENS } from "../support/random-trades.ts";
import { readAllTime } from "./all-time-prices.ts";
import { readLatestPrices } from "./latest-prices.ts";
import { readPriceChanges } from "./price-changes.ts";
import { readTicks } from "./ticks.ts";

const DAY = 86_400;

/** Tokens that were last traded 2 to 2,000 days before the newest block. */
const IDLE = [2, 20, 200, 2000].map((days) => ({
  token: hexOf(0xc000 + days),
  at: START + SPAN - days * DAY,
  price: days,
  usd: 100,
}));

const trades: Trade[] = [...IDLE.toReversed(), ...randomTrades(300, 12)];
const everyToken = [...IDLE.map(({ token }) => token), ...TOKENS, hexOf(0xdead)];

let market: Market;

async function read<T>(query: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return (await readSnapshot(market, ETH.name, {}, query)).answer;
}

async function ticks(query: Parameters<typeof readTicks>[1]) {
  return read(async (snapshot) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of readTicks(snapshot, query)) pieces.push(piece);
    return JSON.parse(Buffer.concat(pieces).toString());
  });
}

interface Priced {
  at: number;
  pool: Hex | undefined;
  price: number;
  /** Identifies the trade: its index among all trades, which are in chain order. */
  index: number;
}

function priced(token: Hex, priceType: TradePrice): Priced[] {
  return trades.flatMap((trade, index) => {
    const price = priceOf(trade, priceType);
    return trade.token !== token || price === null ? [] : [{ at: trade.at, pool: trade.pool, price, index }];
  });
}

const moments = [...new Set(trades.map(({ at }) => at))].sort((a, b) => a - b);

/** Returns the hash that the market gives to the transaction of a trade. */
function hashOf(index: number): Hex {
  const at = trades[index]?.at ?? 0;
  const ordinal = index - trades.findIndex((trade) => trade.at === at);
  return hexOf((1000 + moments.indexOf(at)) * 1000 + ordinal, 32);
}

const time = fc.integer({ min: START - 1000, max: START + SPAN + 1000 });
const priceType = fc.constantFrom(...TRADE_PRICES);
const pools = fc.oneof(fc.constant("all" as const), fc.subarray([...POOLS, hexOf(0xbad)], { minLength: 1 }));

describe.each([
  { store: "without a summary", summarized: false },
  { store: "with a summary", summarized: true },
])("a store $store", ({ summarized }) => {
  beforeAll(async () => {
    market = await openMarket(trades, { summarized });
  });
  afterAll(() => market.close());

  describe("price queries equal the rules applied trade by trade", () => {
    it("ticks", async () => {
      const queries = fc
        .record({
          tokens: fc.subarray(everyToken, { minLength: 1 }),
          pools,
          priceType,
          from: fc.oneof(fc.constant(0), time),
          until: time,
          size: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(1000)),
        })
        .filter(({ from, until }) => from <= until);
      let seen = 0;
      await fc.assert(
        fc.asyncProperty(queries, async (query) => {
          const expected = query.tokens.map((token) => ({
            token_address: token,
            token_symbol: null,
            token_name: null,
            data: priced(token, query.priceType)
              .filter(({ at }) => at >= query.from && at <= query.until)
              .filter(({ pool }) => query.pools === "all" || query.pools.some((one) => one === pool))
              .toReversed()
              .slice(0, query.size)
              .map(({ at, price, index }) => ({
                block_number: 1000 + moments.indexOf(at),
                timestamp: at,
                transaction_hash: hashOf(index),
                price_usd: price,
                price_eth: price / 2000,
                amount_token: trades[index]?.usd == null ? null : trades[index].usd / price,
              })),
          }));
          seen += expected.flatMap(({ data }) => data).length;
          expect(await ticks(query)).toEqual(expected.length === 1 ? expected[0] : expected);
        }),
        { numRuns: 60, seed: 7 },
      );
      expect(seen).toBeGreaterThan(500);
    });

    it("all-time prices, the first of equal ones", async () => {
      const pool = fc.constantFrom("all" as const, ...POOLS);
      let ties = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.subarray(everyToken, { minLength: 1 }),
          pool,
          priceType,
          async (tokens, pool, type) => {
            const found = await read((snapshot) => readAllTime(snapshot, tokens, pool, type));
            for (const token of tokens) {
              const mine = priced(token, type).filter((trade) => pool === "all" || trade.pool === pool);
              const ascending = mine.toSorted((a, b) => a.price - b.price);
              const descending = mine.toSorted((a, b) => b.price - a.price);
              ties += Number(descending[0]?.price === descending[1]?.price);
              const expected = [mine.at(0), descending.at(0), ascending.at(0), mine.at(-1)];
              const prices = found.get(token);
              expect([prices?.opened, prices?.highest, prices?.lowest, prices?.closed].map(essence)).toEqual(
                expected.map((one) => one && { price: one.price, at: one.at, hash: hashOf(one.index) }),
              );
            }
          },
        ),
        { numRuns: 40, seed: 7 },
      );
      expect(ties).toBeGreaterThan(10);
    });

    it("latest prices", async () => {
      for (const type of TRADE_PRICES) {
        const latest = await read((snapshot) => readLatestPrices(snapshot, everyToken, type));
        for (const token of everyToken) {
          const last = priced(token, type).at(-1);
          const one = latest.get(token);
          expect(one && { price: one.price, at: one.tradedAt, hash: one.transactionHash }).toEqual(
            last && { price: last.price, at: last.at, hash: hashOf(last.index) },
          );
        }
      }
    });

    it("price changes", async () => {
      const lookback = fc.constantFrom(1, 60, 3600, DAY, 30 * DAY);
      const until = fc.oneof(time, fc.integer({ min: START - 3000 * DAY, max: START }), fc.constant(5));
      let unopened = 0;
      await fc.assert(
        fc.asyncProperty(until, lookback, priceType, async (until, length, type) => {
          const from = until - length;
          const query = { tokens: everyToken, priceType: type, from, until };
          const found = await read((snapshot) => readPriceChanges(snapshot, query));
          for (const token of everyToken) {
            const known = priced(token, type).filter(({ at }) => at <= until);
            const before = known.filter(({ at }) => at <= from);
            const open = (before.at(-1) ?? known.at(0))?.price;
            unopened += Number(before.length === 0 && known.length > 0);
            const close = known.at(-1)?.price;
            expect(found.get(token)).toEqual(open === undefined ? undefined : { open, close });
          }
        }),
        { numRuns: 60, seed: 7 },
      );
      expect(unopened).toBeGreaterThan(5);
    });
  });
});

function essence(trade: { price: number; tradedAt: number; transactionHash: Hex } | undefined) {
  return trade && { price: trade.price, at: trade.tradedAt, hash: trade.transactionHash };
}
