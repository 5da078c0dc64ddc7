import type { Activity, Position } from "../../serving/wallets/position.ts";

/**
 * Amounts of money in USD, and rates of return in percent. A figure is null if it depends on an unknown
 * price, has a divisor of zero, or is beyond the range of doubles.
 */
export interface Figures {
  pnl: number | null;
  totalProfit: number | null;
  totalValue: number | null;
  totalInvestment: number | null;
  totalReturn: number | null;
  realizedProfit: number | null;
  realizedValue: number | null;
  realizedInvestment: number | null;
  realizedReturn: number | null;
  unrealizedProfit: number | null;
  unrealizedValue: number | null;
  unrealizedInvestment: number | null;
  unrealizedReturn: number | null;
  totalBuyVolume: number | null;
  totalSellVolume: number | null;
}

/** The sums from which all figures are computed, in USD. */
interface Sums {
  buyVolume: number;
  sellVolume: number;
  realizedInvestment: number;
  unrealizedInvestment: number;
  /** Null if the tokens held have no price. */
  unrealizedValue: number | null;
}

export interface TokenPerformance extends Figures, Activity {
  totalBuyAmount: number;
  totalSellAmount: number;
  avgBuyPrice: number | null;
  avgSellPrice: number | null;
  tradingBalance: number;
  currentPrice: number | null;
}

export interface WalletPerformance extends Figures, Activity {
  totalTokensTraded: number;
  /** Fraction of the tokens that made a profit; null if there are no tokens. */
  winRate: number | null;
}

/**
 * A remainder below this share of the purchases is a rounding error, not a holding: doubles have 16 digits,
 * and adding up 100,000 trades may cost 4 of them.
 */
const DUST = 1e-12;

const NO_SUMS: Sums = {
  buyVolume: 0,
  sellVolume: 0,
  realizedInvestment: 0,
  unrealizedInvestment: 0,
  unrealizedValue: 0,
};

const NO_ACTIVITY: Activity = {
  totalTrades: 0,
  totalBuys: 0,
  totalSells: 0,
  firstTradeTimestamp: null,
  lastTradeTimestamp: null,
};

/** Returns the figures of a position; `currentPrice` is USD per token, null if unknown. */
export function valued(position: Position, currentPrice: number | null): TokenPerformance {
  const sums = sumsOf(position, currentPrice);
  const { bought, buyVolume, sellVolume } = position;
  const { sold, balance } = withoutDust(position);
  return {
    ...figuresOf(sums),
    totalTrades: position.totalTrades,
    totalBuys: position.totalBuys,
    totalSells: position.totalSells,
    firstTradeTimestamp: position.firstTradeTimestamp,
    lastTradeTimestamp: position.lastTradeTimestamp,
    totalBuyAmount: bought,
    totalSellAmount: sold,
    avgBuyPrice: ratio(buyVolume, bought),
    avgSellPrice: ratio(sellVolume, sold),
    tradingBalance: balance,
    currentPrice,
  };
}

function withoutDust({ bought, sold, balance }: Position): { sold: number; balance: number } {
  return balance <= bought * DUST ? { sold: bought, balance: 0 } : { sold, balance };
}

function sumsOf(position: Position, currentPrice: number | null): Sums {
  const { bought, buyVolume, sellVolume } = position;
  const { sold, balance } = withoutDust(position);
  const isEmpty = bought === 0;
  return {
    buyVolume,
    sellVolume,
    realizedInvestment: isEmpty ? 0 : buyVolume * (sold / bought),
    unrealizedInvestment: isEmpty ? 0 : buyVolume * (balance / bought),
    unrealizedValue: balance === 0 ? 0 : currentPrice === null ? null : balance * currentPrice,
  };
}

/** Adds up the sums of a wallet's tokens, and computes the same figures from the totals. */
export class WalletSum {
  readonly #sums = { ...NO_SUMS };
  readonly #activity = { ...NO_ACTIVITY };
  #tokens = 0;
  #wins = 0;

  /** @param currentPrice USD per token; null if unknown */
  add(position: Position, currentPrice: number | null): void {
    const ofToken = sumsOf(position, currentPrice);
    addSums(this.#sums, ofToken);
    addActivity(this.#activity, position);
    this.#tokens++;
    if (isWin(ofToken)) this.#wins++;
  }

  get performance(): WalletPerformance {
    const winRate = ratio(this.#wins, this.#tokens);
    return { ...figuresOf(this.#sums), ...this.#activity, totalTokensTraded: this.#tokens, winRate };
  }
}

/**
 * Returns whether a token made a profit. Ignores rounding errors: tokens bought at the current price made no
 * profit.
 */
function isWin(sums: Sums): boolean {
  return (profitsOf(sums).total ?? 0) > DUST * (sums.buyVolume + sums.sellVolume);
}

function profitsOf(sums: Sums) {
  const realized = sums.sellVolume - sums.realizedInvestment;
  const unrealized = plus(sums.unrealizedValue, -sums.unrealizedInvestment);
  return { realized, unrealized, total: plus(unrealized, realized) };
}

function addSums(total: Sums, sums: Sums): void {
  total.buyVolume += sums.buyVolume;
  total.sellVolume += sums.sellVolume;
  total.realizedInvestment += sums.realizedInvestment;
  total.unrealizedInvestment += sums.unrealizedInvestment;
  total.unrealizedValue = plus(total.unrealizedValue, sums.unrealizedValue);
}

function addActivity(total: Activity, activity: Activity): void {
  total.totalTrades += activity.totalTrades;
  total.totalBuys += activity.totalBuys;
  total.totalSells += activity.totalSells;
  const { firstTradeTimestamp: first, lastTradeTimestamp: last } = activity;
  if (first !== null) total.firstTradeTimestamp = Math.min(total.firstTradeTimestamp ?? first, first);
  if (last !== null) total.lastTradeTimestamp = Math.max(total.lastTradeTimestamp ?? last, last);
}

function figuresOf(sums: Sums): Figures {
  const { buyVolume, sellVolume, realizedInvestment, unrealizedInvestment, unrealizedValue } = sums;
  const investment = realizedInvestment + unrealizedInvestment;
  const { realized, unrealized, total } = profitsOf(sums);
  return {
    pnl: finite(sellVolume - buyVolume),
    totalProfit: total,
    totalValue: plus(unrealizedValue, sellVolume),
    totalInvestment: finite(investment),
    totalReturn: percent(total, investment),
    realizedProfit: finite(realized),
    realizedValue: finite(sellVolume),
    realizedInvestment: finite(realizedInvestment),
    realizedReturn: percent(realized, investment),
    unrealizedProfit: unrealized,
    unrealizedValue: unrealizedValue === null ? null : finite(unrealizedValue),
    unrealizedInvestment: finite(unrealizedInvestment),
    unrealizedReturn: percent(unrealized, investment),
    totalBuyVolume: finite(buyVolume),
    totalSellVolume: finite(sellVolume),
  };
}

/** Returns a sum; null if one of the terms is unknown. */
function plus(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : finite(one + other);
}

function percent(part: number | null, whole: number): number | null {
  return part === null ? null : finite((part / whole) * 100);
}

/** Returns a quotient; null if `whole` is zero. */
function ratio(part: number, whole: number): number | null {
  return finite(part / whole);
}

/** Returns a value; null if it is beyond the range of doubles, or the result of a division by zero. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
