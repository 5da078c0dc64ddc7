import { median } from "../../../src/pricing/math/weighted-median.ts";
import type { LabelledTrade } from "./amm-market.ts";
import { type Act, ALPHA, block, hex, Ledger, swap, USDC } from "./market.ts";

/** Decides for each trade whether it is accepted. Causal: a verdict depends only on earlier trades. */
export type Rule = (trades: readonly LabelledTrade[]) => boolean[];

/** A manipulated trade may be accepted if it is closer to the truth than this. */
const HARMLESS = Math.log(1.02);
const MINUTE = 60;
const HOUR = 3600;

/** The rule that the indexer uses. Runs the trades through the indexer's price book. */
export const priceBookRule: Rule = (trades) => {
  const ledger = new Ledger();
  for (let from = 0; from < trades.length; ) {
    const first = trades[from];
    if (first === undefined) break;
    const found = trades.findIndex((trade, i) => i > from && trade.block !== first.block);
    const until = found === -1 ? trades.length : found;
    ledger.run(block(first.block, first.timestamp, actsOf(trades.slice(from, until))));
    from = until;
  }
  return ledger.rows.map((row) => row.price_token_usd_robust_tick_1 !== null);
};

function actsOf(trades: readonly LabelledTrade[]): Act[] {
  const acts = new Map<number, Act>();
  for (const { transaction, trader, pool, price, usd, buys } of trades) {
    const act = acts.get(transaction) ?? { trader, events: [] };
    const place = { ...POOL, address: hex("b", 20 + pool) };
    const tokens = usd / price;
    act.events.push(buys ? swap(place, -tokens, usd) : swap(place, tokens, -usd));
    acts.set(transaction, act);
  }
  return [...acts.values()];
}

const POOL = {
  address: hex("b", 20),
  family: "uniswap-v2",
  protocol: "uniswap_v2",
  factory: hex("f", 1),
  token0: ALPHA,
  token1: USDC,
  tokens: [ALPHA, USDC],
  underlying: [],
  fee: 3000,
  hooks: null,
  hookFlags: null,
  createdBlock: null,
  createdTimestamp: null,
} as const;

/** Distances are differences of log prices: 0.02 is about 2 %. */
export interface Score {
  /** Of the honest trades worth at least 1 USD, the share that was accepted. */
  accepted: number;
  /** Share of the rejected trades that were manipulated. */
  precision: number;
  /** Of the manipulated trades that are more than 2 % off the truth, the share that was rejected. */
  recall: number;
  /** Distance between the robust price in force after each trade and the truth. */
  price: Spread;
  /**
   * Largest distance of each one-minute candle's four prices from the prices of the true path. `hours` has
   * the same for candles of an hour.
   */
  minutes: Spread;
  hours: Spread;
  /**
   * Largest distance between a candle price and the nearest honest value. Honest values are the corresponding
   * price of the candle's accepted honest trades, the corresponding price of the true path, and the previous
   * close of accepted honest trades.
   */
  moved: number;
  /** Longest run of rejected honest trades. */
  lag: number;
}

export interface Spread {
  median: number;
  p95: number;
  worst: number;
}

/** Figures of one variant, before they are combined. */
interface Tally {
  honest: number;
  honestAccepted: number;
  rejected: number;
  bentRejected: number;
  harmful: number;
  harmfulRejected: number;
  prices: number[];
  minutes: number[];
  hours: number[];
  moved: number;
  lag: number;
}

export function score(variants: readonly (readonly LabelledTrade[])[], rule: Rule): Score {
  const tallies = variants.map((trades) => tally(trades, rule(trades)));
  const sum = (of: (each: Tally) => number) => tallies.reduce((total, each) => total + of(each), 0);
  const most = (of: (each: Tally) => number) => Math.max(...tallies.map(of));
  return {
    accepted: sum((each) => each.honestAccepted) / sum((each) => each.honest),
    precision: sum((each) => each.bentRejected) / sum((each) => each.rejected),
    recall: sum((each) => each.harmfulRejected) / sum((each) => each.harmful),
    price: spreadOf(tallies.flatMap((each) => each.prices)),
    minutes: spreadOf(tallies.flatMap((each) => each.minutes)),
    hours: spreadOf(tallies.flatMap((each) => each.hours)),
    moved: most((each) => each.moved),
    lag: most((each) => each.lag),
  };
}

export function spreadOf(values: readonly number[]): Spread {
  const ascending = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))] ?? 0;
  return { median: at(0.5), p95: at(0.95), worst: at(1) };
}

function tally(trades: readonly LabelledTrade[], verdicts: readonly boolean[]): Tally {
  const isRejected = (trade: LabelledTrade, i: number) => trade.usd >= 1 && verdicts[i] === false;
  const honest = trades.filter((trade) => !trade.bent && trade.usd >= 1);
  const harmful = trades.filter((trade) => trade.bent && apart(trade.price, trade.truth) > HARMLESS);
  const rejected = trades.filter(isRejected);
  const accepted = new Set(trades.filter((_, i) => verdicts[i]));
  const minutes = candles(trades, accepted, MINUTE);
  const hours = candles(trades, accepted, HOUR);
  return {
    honest: honest.length,
    honestAccepted: honest.filter((trade) => accepted.has(trade)).length,
    rejected: rejected.length,
    bentRejected: rejected.filter((trade) => trade.bent).length,
    harmful: harmful.length,
    harmfulRejected: harmful.filter((trade) => !accepted.has(trade)).length,
    prices: pricesInForce(trades, accepted),
    minutes: minutes.map((candle) => candle.error),
    hours: hours.map((candle) => candle.error),
    moved: Math.max(0, ...minutes.map((candle) => candle.moved), ...hours.map((candle) => candle.moved)),
    lag: longestRun(honest.map((trade) => !accepted.has(trade))),
  };
}

function apart(a: number, b: number): number {
  return Math.abs(Math.log(a / b));
}

function pricesInForce(trades: readonly LabelledTrade[], accepted: ReadonlySet<LabelledTrade>): number[] {
  let price: number | undefined;
  return trades.flatMap((trade) => {
    if (accepted.has(trade)) price = trade.price;
    return price === undefined ? [] : [apart(price, trade.truth)];
  });
}

function longestRun(flags: readonly boolean[]): number {
  let longest = 0;
  let run = 0;
  for (const flag of flags) {
    run = flag ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

interface Candle {
  /** Largest distance between one of its four prices and the corresponding price of the true path. */
  error: number;
  /**
   * Largest distance between one of its four prices and the nearest honest value: the corresponding price of
   * the true path, the corresponding price of the accepted honest trades, or the last accepted honest price
   * before the candle.
   */
  moved: number;
}

function candles(
  trades: readonly LabelledTrade[],
  accepted: ReadonlySet<LabelledTrade>,
  seconds: number,
): Candle[] {
  let close = Number.NaN;
  return inBuckets(trades, seconds).flatMap((bucket) => {
    const robust = bucket.filter((trade) => accepted.has(trade));
    const prices = robust.map(({ price }) => price);
    const honest = robust.filter((trade) => !trade.bent).map(({ price }) => price);
    const errors = distances(
      prices,
      bucket.map(({ truth }) => truth),
    );
    const references = [errors, distances(prices, honest), distances(prices, [close])];
    const moved = Math.max(...errors.map((_, i) => Math.min(...references.map((each) => each[i] ?? 0))));
    close = honest.at(-1) ?? close;
    return robust.length === 0 ? [] : [{ error: Math.max(...errors), moved }];
  });
}

function inBuckets(trades: readonly LabelledTrade[], seconds: number): LabelledTrade[][] {
  const buckets = new Map<number, LabelledTrade[]>();
  for (const trade of trades) {
    const place = Math.floor(trade.timestamp / seconds);
    const bucket = buckets.get(place);
    if (bucket === undefined) buckets.set(place, [trade]);
    else bucket.push(trade);
  }
  return [...buckets.values()];
}

/** Returns the distances between the four prices of two candles, or infinity if one has no trades. */
function distances(a: readonly number[], b: readonly number[]): number[] {
  if (a.length === 0 || b.length === 0 || Number.isNaN(b[0]))
    return Array.from({ length: 4 }, () => Number.POSITIVE_INFINITY);
  const others = candleOf(b);
  return candleOf(a).map((price, i) => apart(price, others[i] ?? Number.NaN));
}

function candleOf(prices: readonly number[]): number[] {
  const [open = Number.NaN] = prices;
  return [open, Math.max(...prices), Math.min(...prices), prices.at(-1) ?? open];
}

/** Rules of other projects, for comparison. All of them ignore trades below 1 USD. */
export const SIMPLER_RULES: Record<string, Rule> = {
  none: (trades) => trades.map(({ usd }) => usd >= 1),
  "5/95 % quantile of 100": (trades) =>
    judged(trades, 100, (price, past) => {
      const ascending = [...past].sort((a, b) => a - b);
      const at = (share: number) => ascending[Math.round(share * (past.length - 1))] ?? price;
      return past.length < 20 || (price >= at(0.05) && price <= at(0.95));
    }),
  "3x of median of 100": (trades) =>
    judged(trades, 100, (price, past) => apart(price, median(past)) <= Math.log(3)),
  "10 % of median of 20": (trades) => judged(trades, 20, (price, past) => apart(price, median(past)) <= 0.1),
  "2 MAD of 100": (trades) =>
    judged(trades, 100, (price, past) => {
      const middle = median(past);
      const mad = median(past.map((each) => Math.abs(each - middle)));
      return past.length < 20 || Math.abs(price - middle) <= 2 * 1.4826 * mad;
    }),
};

/**
 * Judges each trade by the prices of the latest trades before it. Accepted and rejected trades both count, so
 * the rule never gets stuck.
 */
function judged(
  trades: readonly LabelledTrade[],
  count: number,
  accepts: (price: number, past: readonly number[]) => boolean,
): boolean[] {
  const past: number[] = [];
  return trades.map(({ usd, price }) => {
    if (usd < 1) return false;
    const verdict = past.length === 0 || accepts(price, past);
    past.push(price);
    if (past.length > count) past.shift();
    return verdict;
  });
}
