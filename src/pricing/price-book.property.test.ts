import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as market from "../../test/support/markets/market.ts";
import { FAIR, marketChain, POOLS } from "../../test/support/markets/random-market.ts";
import type { Block } from "../schema/block.ts";
import type { DecodedEvent } from "../schema/swap.ts";
import { PriceBook } from "./price-book.ts";

/**
 * Number of random markets for the costliest property; the other properties use more. For a longer run, set
 * QUARRY_PRICE_RUNS=60.
 */
const RUNS = Number(process.env.QUARRY_PRICE_RUNS ?? 20);

const { ALPHA, ALPHA_USDC, block, Ledger, MUTE_USDC, rawSwap, swap, transfer, USDC_DAI } = market;

const gap = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 2, arbitrary: fc.constantFrom(1800, 3600, 40_000, 86_400, 200_000) },
);

type Sums = [usd: number, token: number];

/** Returns the exact quotient, rounded once: amounts in these tests are whole numbers far below 2^53. */
const ratio = ([usd, token]: Sums) => (token === 0 ? null : usd / token);
const sumOf = (rows: readonly market.TradeRow[]) =>
  rows.reduce<Sums>(
    ([usd, token], row) =>
      row.price_token_usd_tick_1 === null
        ? [usd, token]
        : [usd + (row.amount_usd ?? 0), token + (row.amount_token ?? 0)],
    [0, 0],
  );

/** Computes the window columns of the newest row from all rows up to it. */
function windowColumns(rows: readonly market.TradeRow[]) {
  const now = rows.at(-1)?.timestamp ?? 0;
  const within = (seconds: number) => rows.filter((row) => row.timestamp > now - seconds);
  const columns = (name: string, seconds: number) => {
    const all = within(seconds);
    const accepted = all.filter((row) => row.price_token_usd_robust_tick_1 !== null);
    const buy = ratio(sumOf(accepted.filter((row) => row.side === "buy")));
    const sell = ratio(sumOf(accepted.filter((row) => row.side === "sell")));
    return {
      [`num_trades_${name}`]: all.length,
      [`volume_${name}_usd`]: all.reduce((sum, row) => sum + (row.amount_usd ?? 0), 0),
      [`price_token_usd_wavg_${name}`]: ratio(sumOf(all)),
      [`price_token_usd_robust_total_${name}`]: ratio(sumOf(accepted)),
      [`price_token_usd_robust_buy_${name}`]: buy,
      [`price_token_usd_robust_sell_${name}`]: sell,
      [`price_token_usd_robust_mid_${name}`]: buy === null || sell === null ? null : (buy + sell) / 2,
    };
  };
  return {
    ...columns("1h", 3600),
    ...columns("24h", 86_400),
    price_token_usd_tick_100: ratio(sumOf(rows.slice(-100))),
  };
}

/** Returns the columns of a row with a number that is not finite, or a price that is not above zero. */
function invalidColumns(row: market.TradeRow): [string, number][] {
  return Object.entries(row).filter(
    (entry): entry is [string, number] =>
      typeof entry[1] === "number" &&
      (!Number.isFinite(entry[1]) || (entry[0].startsWith("price_") && entry[1] <= 0)),
  );
}

/**
 * Runs the transactions of other blocks in new blocks after the newest one, a second apart, and then rolls
 * these blocks back.
 */
function abandon(ledger: market.Ledger, newest: Block, others: readonly market.MarketBlock[]): void {
  for (const [i, { block: header, transactions }] of others.entries()) {
    const [number, timestamp] = [newest.number + 1 + i, newest.timestamp + 1 + i];
    ledger.run({ block: { ...header, number, timestamp }, transactions });
  }
  ledger.rollbackTo(newest);
}

/** Returns the block with only those transactions whose events are all in the pool of two stablecoins. */
function onlyStableCoins({ block: header, transactions }: market.MarketBlock): market.MarketBlock {
  const isStable = (event: DecodedEvent) => "pool" in event && event.pool === USDC_DAI;
  return { block: header, transactions: transactions.filter(({ events }) => events.every(isStable)) };
}

describe("price book", { timeout: 180_000 + RUNS * 3_000 }, () => {
  it("has the same windows as a naive sum over the rows", () => {
    const wholeSwap = fc
      .record({
        pool: fc.constantFrom(ALPHA_USDC, MUTE_USDC),
        tokens: fc.integer({ min: 1, max: 1000 }),
        usd: fc.integer({ min: 0, max: 3000 }),
        buys: fc.boolean(),
      })
      .map(({ pool, tokens, usd, buys }) => (buys ? swap(pool, -tokens, usd) : swap(pool, tokens, -usd)));
    const step = fc.record({ gap, swaps: fc.array(wholeSwap, { maxLength: 12 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const ledger = new Ledger();
        let timestamp = 1_700_000_000;
        for (const [i, { gap: seconds, swaps }] of steps.entries()) {
          timestamp += seconds;
          ledger.run(block(i + 1, timestamp, [{ trader: i, events: swaps }]));
        }
        for (const token of [ALPHA, market.MUTE]) {
          const rows = ledger.rows.filter((row) => row.token_address === token);
          for (const [i, row] of rows.entries())
            expect(row).toMatchObject(windowColumns(rows.slice(0, i + 1)));
        }
      }),
      { numRuns: 3 * RUNS },
    );
  });

  it("gives the same rows wherever it is cleared and restored", () => {
    const positions = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8, size: "max" });
    const run = fc.record({
      seed: fc.integer(),
      pace: fc.constantFrom(2, 40, 600, 5000, 30_000),
      cuts: positions,
      evictions: positions,
    });
    fc.assert(
      fc.property(run, ({ seed, pace, cuts, evictions }) => {
        const whole = new Ledger();
        const cut = new Ledger(new PriceBook(market.CHAIN, { tokens: 3, trades: 50 }));
        for (const [i, each] of marketChain(seed, { blocks: 300, pace }).entries()) {
          if (cuts.includes(i)) cut.book.clear();
          if (evictions.includes(i)) cut.book.evict();
          whole.run(each);
          cut.run(each);
        }
        expect(cut.rows).toEqual(whole.rows);
        expect(cut.transferUsd).toEqual(whole.transferUsd);
        expect(cut.feeUsd).toEqual(whole.feeUsd);
      }),
      { numRuns: RUNS },
    );
  });

  it("gives the same rows after blocks that were rolled back", () => {
    const run = fc.record({
      seed: fc.integer(),
      pace: fc.constantFrom(2, 40, 600, 30_000),
      depth: fc.integer({ min: 1, max: 12 }),
      onlyStable: fc.boolean(),
    });
    fc.assert(
      fc.property(run, ({ seed, pace, depth, onlyStable }) => {
        const forked = new Ledger();
        const straight = new Ledger();
        for (const each of marketChain(seed, { blocks: 250, pace })) {
          forked.run(each);
          straight.run(each);
          if (each.block.number % 50 !== 0) continue;
          const others = marketChain(seed + each.block.number, { blocks: depth, pace });
          abandon(forked, each.block, onlyStable ? others.map(onlyStableCoins) : others);
        }
        expect(forked.rows).toEqual(straight.rows);
      }),
      { numRuns: Math.ceil(RUNS / 2) },
    );
  });

  it("never returns NaN, infinity or a price of zero, whatever the amounts", () => {
    const size = fc.oneof(
      fc.bigInt({ min: 0n, max: 10n }),
      fc.bigInt({ min: 0n, max: 10n ** 24n }),
      fc.bigInt({ min: 2n ** 255n, max: 2n ** 256n - 1n }),
    );
    const wild = fc
      .record({ pool: fc.constantFrom(...POOLS), amount0: size, amount1: size, buys: fc.boolean() })
      .map(({ pool, amount0, amount1, buys }) =>
        buys ? rawSwap(pool, -amount0, amount1) : rawSwap(pool, amount0, -amount1),
      );
    const decimals = fc.constantFrom(null, 0, 6, 18, 77, 255);
    const steps = fc.array(
      fc.array(
        fc.oneof(
          wild,
          size.map((value) => transfer(ALPHA, value)),
        ),
        { maxLength: 6 },
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, fc.array(decimals, { minLength: 7, maxLength: 7 }), (chain, declared) => {
        const order = [...FAIR.keys()];
        const ledger = new Ledger();
        ledger.tokenAt = (address) => ({
          ...market.tokenAt(address),
          decimals: declared[order.indexOf(address)] ?? null,
        });
        for (const [i, events] of chain.entries())
          ledger.run(block(i + 1, i * 1000, [{ trader: i, events }]));
        expect(ledger.rows.flatMap(invalidColumns)).toEqual([]);
        const values = [...ledger.transferUsd, ...ledger.feeUsd].filter((value) => value !== null);
        expect(values.filter((value) => !Number.isFinite(value))).toEqual([]);
      }),
      { numRuns: 15 * RUNS },
    );
  });
});
