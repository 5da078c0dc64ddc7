import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAI, hex, USDC } from "../../../test/support/markets/market.ts";
import { seeded } from "../../../test/support/seeded.ts";
import type { Hex } from "../../lib/hex.ts";
import { StablePegs } from "./stable-pegs.ts";

const USDT = hex("c", 9);
const COINS = [USDC, USDT, DAI];
const PAIRS: [Hex, Hex][] = [
  [USDC, USDT],
  [USDC, DAI],
  [USDT, DAI],
];
const START = 1_700_000_000;
/** A lead of less than this is a tie. */
const TIE = 1e-9;

type Trade = Parameters<StablePegs["record"]>[0] & { priceTick1: number; amountUsd: number };

/**
 * The trades of a block, and the level around which USDC trades from this block on; null: the level stays the
 * same.
 */
const blockOf = fc.record({
  gap: fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 1, max: 100 }) },
    { weight: 1, arbitrary: fc.constantFrom(600, 3600, 20_000, 86_400) },
  ),
  level: fc.oneof({ weight: 10, arbitrary: fc.constant(null) }, fc.constantFrom(0.9, 1, 1.1)),
  trades: fc.array(
    fc.record({
      pair: fc.constantFrom(...PAIRS),
      trader: fc.integer({ min: 1, max: 14 }),
      price: fc.constantFrom(0.985, 1, 1.015, 1.12),
      amountUsd: fc.constantFrom(9.99, 10, 1e6),
    }),
    { maxLength: 5 },
  ),
});

/**
 * Blocks of trades. The prices of USDC are around its level at the time, and the prices of the other coins
 * are around 1.
 */
const chain = fc.array(blockOf, { minLength: 100, maxLength: 160, size: "max" }).map((blocks) => {
  let timestamp = START;
  let level = 1;
  return blocks.map(({ gap, level: next, trades }, blockNumber) => {
    timestamp += gap;
    level = next ?? level;
    return {
      timestamp,
      trades: trades.map(({ pair: [token, quote], trader, price, amountUsd }): Trade => {
        const priceTick1 = price * (token === USDC ? level : 1);
        return { token, quote, priceTick1, amountUsd, trader: hex("a", trader), blockNumber, timestamp };
      }),
    };
  });
});

const minuteOf = (timestamp: number) => Math.floor(timestamp / 60);
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** Returns the trades of a pair that count at a time, by the definition in docs/prices.md. */
function countedOf(past: readonly Trade[], [first, second]: [Hex, Hex], now: number): Trade[] {
  const minute = minuteOf(now);
  const all = past.filter(
    (trade) =>
      trade.token === first &&
      trade.quote === second &&
      trade.amountUsd >= 10 &&
      minuteOf(trade.timestamp) < minute &&
      minuteOf(trade.timestamp) >= minute - 24 * 60,
  );
  const votes = all.filter(
    (trade, i) =>
      !all
        .slice(0, i)
        .some(
          ({ trader, timestamp }) =>
            trader === trade.trader && minuteOf(timestamp) === minuteOf(trade.timestamp),
        ),
  );
  const minutes = [...new Set(votes.map(({ timestamp }) => minuteOf(timestamp)))];
  const hour = minutes.filter((each) => each >= minute - 60);
  const counted = hour.length >= 20 ? hour : minutes.slice(-20);
  const isEnough = counted.length >= 20;
  return isEnough ? votes.filter(({ timestamp }) => counted.includes(minuteOf(timestamp))) : [];
}

/** Returns the share of the time for which each vote is the nearest one of its wallet. */
function sharesOf(votes: readonly Trade[], end: number): number[] {
  const start = votes[0]?.timestamp ?? end;
  return votes.map((vote) => {
    const own = votes.filter(({ trader }) => trader === vote.trader).map(({ timestamp }) => timestamp);
    const edges = own.flatMap((a) => own.map((b) => (a + b) / 2));
    const times = [...new Set([start, end, ...edges])].sort((a, b) => a - b);
    const spans = times.slice(1).map((to, i) => ({ from: times[i] ?? to, to }));
    const nearest = spans.filter(({ from, to }) => {
      const distances = own.map((time) => Math.abs(time - (from + to) / 2));
      return own[distances.indexOf(Math.min(...distances))] === vote.timestamp;
    });
    return sum(nearest.map(({ from, to }) => to - from)) / (end - start);
  });
}

/** Returns the coins that have lost their peg, by definition. */
function fallenAt(past: readonly Trade[], now: number): Hex[] {
  const end = 60 * minuteOf(now);
  const verdicts = PAIRS.map((pair) => {
    const votes = countedOf(past, pair, now);
    const shares = sharesOf(votes, end);
    const weights = votes.map(({ timestamp }, i) => {
      const inMinute = votes.map((vote) => minuteOf(vote.timestamp) === minuteOf(timestamp));
      return (shares[i] ?? 0) / Math.max(1, sum(shares.filter((_, j) => inMinute[j])));
    });
    const wallets = new Set(votes.map(({ trader }) => trader)).size;
    const isBelow = (priceOf: (vote: Trade) => number) =>
      2 * sum(weights.filter((_, i) => priceOf(votes[i] as Trade) < 0.98)) > sum(weights) + TIE;
    return {
      wallets: wallets < 5 ? 0 : wallets,
      below: [
        { coin: pair[0], isBelow: isBelow(({ priceTick1 }) => priceTick1) },
        { coin: pair[1], isBelow: isBelow(({ priceTick1 }) => 1 / priceTick1) },
      ],
    };
  });
  return COINS.filter((coin) => {
    const own = verdicts.flatMap(({ wallets, below }) =>
      below.filter((each) => each.coin === coin).map(({ isBelow }) => ({ wallets, isBelow })),
    );
    const against = sum(own.filter(({ isBelow }) => isBelow).map(({ wallets }) => wallets));
    return against > 0 && 2 * against >= sum(own.map(({ wallets }) => wallets));
  });
}

const fallenOf = (pegs: StablePegs) => COINS.filter((coin) => !pegs.isCash(coin));

describe("the verdict on stablecoins", { timeout: 180_000 }, () => {
  it("is that of the definition, whatever the trades", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(chain, (blocks) => {
        const pegs = new StablePegs(COINS);
        const past: Trade[] = [];
        for (const { timestamp, trades } of blocks) {
          pegs.judgeAt(timestamp);
          const expected = fallenAt(past, timestamp);
          expect(fallenOf(pegs)).toEqual(expected);
          seen.add(expected.join());
          for (const trade of trades) pegs.record(trade);
          past.push(...trades);
        }
      }),
      { numRuns: 30 },
    );
    expect(seen.size).toBeGreaterThan(2);
  });

  it("does not depend on the order of the wallets in a block", () => {
    fc.assert(
      fc.property(
        chain,
        fc.array(fc.double({ noNaN: true }), { minLength: 15, maxLength: 15 }),
        (blocks, keys) => {
          const pegs = new StablePegs(COINS);
          const others = new StablePegs(COINS);
          const keyOf = ({ trader }: Trade) => keys[Number.parseInt(trader.slice(-4), 16)] ?? 0;
          for (const { timestamp, trades } of blocks) {
            for (const each of [pegs, others]) each.judgeAt(timestamp);
            expect(fallenOf(others)).toEqual(fallenOf(pegs));
            for (const trade of trades) pegs.record(trade);
            for (const trade of [...trades].sort((a, b) => keyOf(a) - keyOf(b))) others.record(trade);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it("is not decided by two fifths as many wallets as those of an even market", () => {
    const minutes = Array.from({ length: 60 }, (_, minute) => minute);
    const market = fc.record({
      price: fc.constantFrom(0.9, 1),
      newWallets: fc.constantFrom(0, 1, 3),
      regulars: fc.integer({ min: 10, max: 40 }),
      swapsOfRegulars: fc.integer({ min: 6, max: 60 }),
      swapsOfOthers: fc.integer({ min: 1, max: 60 }),
      seed: fc.integer(),
    });
    fc.assert(
      fc.property(market, ({ price, newWallets, regulars, swapsOfRegulars, swapsOfOthers, seed }) => {
        const random = seeded(seed);
        const swapsOf = (trader: number, count: number, priceTick1: number) =>
          Array.from({ length: count }, () => ({ trader, minute: Math.floor(60 * random()), priceTick1 }));
        const passing = minutes.flatMap((minute) =>
          Array.from({ length: newWallets }, (_, i) => ({
            trader: 10 * minute + i,
            minute,
            priceTick1: price,
          })),
        );
        const usual = Array.from({ length: regulars }, (_, i) => swapsOf(1000 + i, swapsOfRegulars, price));
        const wallets = Math.floor(0.4 * (60 * newWallets + regulars));
        const attack = Array.from({ length: wallets }, (_, i) =>
          swapsOf(2000 + i, swapsOfOthers, 1.9 - price),
        );
        const pegs = new StablePegs(COINS);
        const swaps = [attack, ...usual, passing].flat(2).sort((a, b) => a.minute - b.minute);
        for (const [blockNumber, { trader, minute, priceTick1 }] of swaps.entries()) {
          const timestamp = 60 * minute;
          const trade = { token: USDC, quote: USDT, priceTick1, amountUsd: 1000, trader: hex("a", trader) };
          pegs.record({ ...trade, blockNumber, timestamp });
        }
        pegs.judgeAt(3600);
        expect(pegs.isCash(USDC)).toBe(price === 1);
      }),
      { numRuns: 60 },
    );
  });
});
