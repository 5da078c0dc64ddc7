import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  differences,
  figuresByDefinition,
  totalsByDefinition,
} from "../../../test/support/markets/wallet-definitions.ts";
import { addTrade, emptyPosition, type Position, type WalletTrade } from "../../serving/wallets/position.ts";
import { type TokenPerformance, valued, type WalletPerformance, WalletSum } from "./wallet-performance.ts";

const at = 1_704_412_800;
const buy = (amountToken: number | null, amountUsd: number | null, timestamp = at): WalletTrade => ({
  side: "buy",
  amountToken,
  amountUsd,
  timestamp,
});
const sell = (amountToken: number | null, amountUsd: number | null, timestamp = at): WalletTrade => ({
  ...buy(amountToken, amountUsd, timestamp),
  side: "sell",
});

/** Returns the figures under the names that they have in answers. */
function named(performance: object): Record<string, number | null> {
  const entries = Object.entries(performance).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(entries);
}

function tokenPerformance(trades: readonly WalletTrade[], currentPrice: number | null): TokenPerformance {
  return valued(positionOf(trades), currentPrice);
}

function positionOf(trades: readonly WalletTrade[]): Position {
  const position = emptyPosition();
  for (const trade of trades) addTrade(position, trade);
  return position;
}

function walletPerformance(
  holdings: readonly { position: Position; currentPrice: number | null }[],
): WalletPerformance {
  const sum = new WalletSum();
  for (const { position, currentPrice } of holdings) sum.add(position, currentPrice);
  return sum.performance;
}

function rowsOf(trades: readonly WalletTrade[]) {
  return trades.map(({ side, amountToken, amountUsd, timestamp }) => ({
    ...{ wallet: "", token: "", side, timestamp },
    ...{ amount: amountToken, usd: amountUsd },
  }));
}

const volumeOf = (trades: readonly WalletTrade[]) =>
  trades.reduce((sum, { amountUsd }) => sum + (amountUsd ?? 0), 0);

describe("the average-cost method", () => {
  it("computes the figures of the example in docs/wallets.md", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../docs/wallets.md"), "utf8");
    const cells = (line: string) => line.split("|").map((cell) => cell.trim());
    const trades = [...page.matchAll(/^\| (buy|sell) \|.*$/gm)].map(([line]) => {
      const [, side, amount, usd] = cells(line);
      return { ...buy(Number(amount), Number(usd)), side: side as WalletTrade["side"] };
    });
    expect(trades.length).toBeGreaterThan(3);
    const price = Number(/price is now ([\d.]+) USD/.exec(page)?.[1]);
    const figures = named(tokenPerformance(trades, price));
    const documented = [...page.matchAll(/^\| `(\w+)` \|.*\| (-?[\d.]+) \|$/gm)];
    expect(documented.length).toBeGreaterThan(18);
    for (const [, name = "", value] of documented)
      expect([name, figures[name]]).toEqual([name, Number(value)]);
  });

  it("ignores tokens sold beyond those bought", () => {
    const beyond = tokenPerformance([buy(4, 40), sell(10, 200), sell(1, 20)], 30);
    expect(beyond).toMatchObject({
      totalSellAmount: 4,
      totalSellVolume: 80,
      tradingBalance: 0,
      totalSells: 2,
    });
    expect(beyond).toMatchObject({ realizedProfit: 40, unrealizedValue: 0, totalReturn: 100 });
    const again = tokenPerformance([sell(10, 200), buy(2, 20), sell(5, 100), buy(3, 45)], 10);
    expect(again).toMatchObject({
      totalBuyAmount: 5,
      totalSellAmount: 2,
      totalSellVolume: 40,
      tradingBalance: 3,
    });
  });

  it("has no investment, and so no return, with only sales", () => {
    const figures = tokenPerformance([sell(10, 200), sell(1, 20)], 5);
    expect(figures).toMatchObject({
      totalTrades: 2,
      totalSells: 2,
      pnl: 0,
      totalProfit: 0,
      totalInvestment: 0,
    });
    expect(figures).toMatchObject({
      totalReturn: null,
      realizedReturn: null,
      avgBuyPrice: null,
      avgSellPrice: null,
    });
  });

  it("reports a single trade as it was", () => {
    expect(tokenPerformance([buy(2, 30, at + 5)], 20)).toMatchObject({
      ...{ pnl: -30, totalProfit: 10, unrealizedValue: 40, avgBuyPrice: 15, avgSellPrice: null },
      ...{ firstTradeTimestamp: at + 5, lastTradeTimestamp: at + 5, tradingBalance: 2 },
    });
  });

  it("treats rounding remainders of a purchase as zero", () => {
    const dust = tokenPerformance([buy(1.1, 11), buy(2.2, 22), sell(3.3, 50)], 1e9);
    expect(1.1 + 2.2 - 3.3).toBeGreaterThan(0);
    expect(dust).toMatchObject({
      tradingBalance: 0,
      unrealizedValue: 0,
      realizedInvestment: 33,
      totalProfit: 17,
    });
    const little = tokenPerformance([buy(1, 10), sell(1 - 1e-9, 10)], 10);
    expect(little.tradingBalance).toBeCloseTo(1e-9, 15);
  });

  it("does not count rounding errors of a purchase at the current price as a win", () => {
    const won = Array.from({ length: 200 }, (_, i) => {
      const [amount, usd] = [0.1 + i / 7, 0.3 + i / 3];
      const currentPrice = usd / amount;
      const position = positionOf([buy(amount, usd)]);
      return {
        profit: tokenPerformance([buy(amount, usd)], currentPrice).totalProfit ?? 0,
        winRate: walletPerformance([{ position, currentPrice }]).winRate,
      };
    });
    expect(won.some(({ profit }) => profit > 0)).toBe(true);
    expect(won.every(({ winRate }) => winRate === 0)).toBe(true);
    const position = positionOf([buy(3, 30)]);
    expect(walletPerformance([{ position, currentPrice: 10.0001 }]).winRate).toBe(1);
  });

  it("counts trades of unknown amount or value, but leaves them out of amounts and volumes", () => {
    const figures = tokenPerformance([buy(null, 10), buy(5, null), buy(0, 3), sell(1, 9), buy(2, 8)], 5);
    expect(figures).toMatchObject({ totalTrades: 5, totalBuys: 4, totalBuyVolume: 8, totalSellVolume: 0 });
    expect(figures).toMatchObject({ tradingBalance: 2, totalProfit: 2 });
  });

  it("has no value for holdings without a price, but all figures that need none", () => {
    const held = { position: positionOf([buy(2, 30), sell(1, 20)]), currentPrice: null };
    const sold = { position: positionOf([buy(2, 30), sell(2, 50)]), currentPrice: null };
    expect(walletPerformance([sold])).toMatchObject({ totalProfit: 20, unrealizedValue: 0, winRate: 1 });
    expect(walletPerformance([held, sold])).toMatchObject({
      ...{
        totalProfit: null,
        totalValue: null,
        totalReturn: null,
        unrealizedProfit: null,
        unrealizedReturn: null,
      },
      ...{ realizedProfit: 25, unrealizedInvestment: 15, totalInvestment: 60, pnl: 10, winRate: 0.5 },
    });
  });

  it("gives null, not Infinity, beyond the range of doubles", () => {
    const figures = tokenPerformance([buy(1e300, 1)], 1e300);
    expect(figures).toMatchObject({ unrealizedValue: null, totalProfit: null, totalInvestment: 1 });
  });

  it("has only zeros and nulls for a wallet without trades", () => {
    expect(walletPerformance([])).toMatchObject({
      ...{ totalTokensTraded: 0, totalTrades: 0, totalProfit: 0, pnl: 0, totalInvestment: 0 },
      ...{ totalReturn: null, winRate: null, firstTradeTimestamp: null },
    });
  });
});

/** Multiples of 2^-10, whose sums are exact, so that the definitions have no rounding errors. */
const amount = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 2 ** 30 }).map((count) => count / 1024) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 5 }) },
  { weight: 1, arbitrary: fc.constantFrom(null, 0, 2 ** -10, 2 ** 25) },
);
const usd = fc.oneof(
  { weight: 9, arbitrary: fc.double({ min: 1e-3, max: 1e7, noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const trade = fc.record({
  side: fc.constantFrom("buy" as const, "buy" as const, "sell" as const),
  amountToken: amount,
  amountUsd: usd,
  timestamp: fc.integer({ min: at, max: at + 1000 }),
});
const holding = fc.record({
  trades: fc
    .array(trade, { minLength: 1, maxLength: 40 })
    .map((trades) => trades.sort((a, b) => a.timestamp - b.timestamp)),
  price: fc.oneof(fc.double({ min: 1e-9, max: 1e3, noNaN: true }), fc.constant(null)),
});

describe("the average-cost method on random trades", () => {
  it("agrees with the definitions", () => {
    let compared = 0;
    const check = fc.property(holding, ({ trades, price }) => {
      const found = tokenPerformance(trades, price);
      const expected = figuresByDefinition(rowsOf(trades), price);
      const scale = volumeOf(trades) + Math.abs(found.unrealizedValue ?? 0);
      expect(differences(named(found), moneyOf(expected), scale)).toEqual([]);
      for (const name of AMOUNTS) expectClose(named(found)[name], expected[name], found.totalBuyAmount);
      expectClose(found.avgBuyPrice, expected.avg_buy_price, 0);
      expectClose(found.avgSellPrice, expected.avg_sell_price, 0);
      compared++;
    });
    fc.assert(check, { numRuns: 2000, seed: 11 });
    expect(compared).toBe(2000);
  });

  it("agrees with the definitions on wallets, and with the relations between figures", () => {
    const check = fc.property(fc.array(holding, { maxLength: 6 }), (tokens) => {
      const found = walletPerformance(
        tokens.map(({ trades, price }) => ({ position: positionOf(trades), currentPrice: price })),
      );
      const figures = tokens.map(({ trades, price }) => figuresByDefinition(rowsOf(trades), price));
      const scale = tokens.reduce(
        (sum, one) => sum + volumeOf(one.trades),
        Math.abs(found.unrealizedValue ?? 0),
      );
      const { win_rate, ...expected } = totalsByDefinition(figures);
      expect(differences(named(found), expected, scale)).toEqual([]);
      expect(tokens.length === 0 ? found.winRate === null : found.winRate !== null).toBe(true);
      expectClose(found.totalProfit, sum(found.realizedProfit, found.unrealizedProfit), scale);
      expectClose(found.totalValue, sum(found.realizedValue, found.unrealizedValue), scale);
      expectClose(found.totalReturn, sum(found.realizedReturn, found.unrealizedReturn), 100);
      expectClose(found.pnl, sum(found.totalSellVolume, -(found.totalBuyVolume ?? 0)), scale);
      expectClose(found.pnl, sum(found.realizedValue, -(found.totalInvestment ?? 0)), scale);
      expect(found.totalTrades).toBe(found.totalBuys + found.totalSells);
    });
    fc.assert(check, { numRuns: 500, seed: 12 });
  });

  it("does not depend on the order of purchases", () => {
    const check = fc.property(fc.array(trade, { minLength: 2, maxLength: 20 }), (trades) => {
      const buys = trades.filter(({ side }) => side === "buy");
      const forth = tokenPerformance(buys, 2);
      const back = tokenPerformance(buys.toReversed(), 2);
      expectClose(forth.totalProfit, back.totalProfit, volumeOf(buys) + 2 * forth.totalBuyAmount);
    });
    fc.assert(check, { numRuns: 200, seed: 13 });
  });
});

const AMOUNTS = ["total_buy_amount", "total_sell_amount", "trading_balance"] as const;

/** Returns the figures without the fields that are compared separately. */
function moneyOf(figures: Record<string, number | null>): Record<string, number | null> {
  const others: readonly string[] = [...AMOUNTS, "avg_buy_price", "avg_sell_price"];
  return Object.fromEntries(Object.entries(figures).filter(([name]) => !others.includes(name)));
}

function sum(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

function expectClose(
  found: number | null | undefined,
  expected: number | null | undefined,
  scale: number,
): void {
  if (typeof found !== "number" || typeof expected !== "number") {
    expect(found).toBe(expected);
    return;
  }
  const allowed = 1e-9 * Math.max(scale, Math.abs(expected));
  expect(Math.abs(found - expected), `${found} is not ${expected}`).toBeLessThanOrEqual(allowed);
}
