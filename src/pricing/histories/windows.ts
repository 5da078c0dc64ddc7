import { HOUR_SECONDS } from "../../lib/seconds.ts";
import { quotient } from "../math/bounded-value.ts";
import { ExactSum } from "../math/exact-sum.ts";
import { HISTORY_TRADES, WINDOW_SECONDS } from "../trades/past-trade.ts";
import { type SummedTrade, TradeRing } from "./trade-ring.ts";

/** 1 adds a trade to a sum, and -1 subtracts it. */
type Sign = 1 | -1;

/** Σusd / Σtoken over the priced trades. */
class WeightedPrice {
  readonly #usd = new ExactSum();
  readonly #token = new ExactSum();

  apply({ usd, token }: SummedTrade, sign: Sign): void {
    if (usd === null || token === null) return;
    this.#usd.add(sign * usd);
    this.#token.add(sign * token);
  }

  price(): number | null {
    return quotient(this.#usd.value(), this.#token.value());
  }
}

/** Counts, volumes and prices of the trades in one trailing window. */
class WindowSums {
  readonly #volume = new ExactSum();
  readonly #support = new ExactSum();
  readonly #all = new WeightedPrice();
  readonly #accepted = new WeightedPrice();
  readonly #buys = new WeightedPrice();
  readonly #sells = new WeightedPrice();
  /** Includes unpriced trades. */
  count = 0;

  apply(trade: SummedTrade, sign: Sign): void {
    this.count += sign;
    this.#volume.add(sign * (trade.usd ?? 0));
    this.#all.apply(trade, sign);
    if (!trade.accepted) return;
    if (trade.forCash) this.#support.add(sign * (trade.usd ?? 0));
    this.#accepted.apply(trade, sign);
    (trade.buy ? this.#buys : this.#sells).apply(trade, sign);
  }

  /**
   * Returns the USD value of the accepted trades against cash, which does not depend on another token's
   * price.
   */
  support(): number {
    return this.#support.value();
  }

  figures(): SumFigures {
    const buy = this.#buys.price();
    const sell = this.#sells.price();
    const mid = buy === null || sell === null ? null : (buy + sell) / 2;
    return {
      trades: this.count,
      volumeUsd: this.#volume.value(),
      all: this.#all.price(),
      total: this.#accepted.price(),
      buy,
      sell,
      mid,
    };
  }
}

/** The sums of one window at one moment. Prices are USD per token. */
interface SumFigures {
  /** Includes unpriced trades. */
  trades: number;
  volumeUsd: number;
  /** Volume-weighted price of all trades. */
  all: number | null;
  /**
   * Volume-weighted prices of all accepted trades, of the buys among them, and of the sells. `mid` is the
   * mean of `buy` and `sell`.
   */
  total: number | null;
  buy: number | null;
  sell: number | null;
  mid: number | null;
}

/** A token's windows at one moment. */
export interface WindowFigures {
  hour: SumFigures;
  day: SumFigures;
  /** Volume-weighted price of the last 100 trades. */
  lastTradesPrice: number | null;
}

/** The trailing windows of one token. A window that ends at t holds the trades of (t - length, t]. */
export class TokenWindows {
  readonly hour = new WindowSums();
  readonly day = new WindowSums();
  readonly #lastTrades = new WeightedPrice();
  readonly #trades = new TradeRing();
  #hourStart = 0;
  #dayStart = 0;
  #lastStart = 0;
  #end = 0;

  /** Unix time of the windows' end. */
  get end(): number {
    return this.#end;
  }

  /** Number of trades held in memory. */
  get size(): number {
    return this.#trades.next - this.#trades.first;
  }

  /** Adds a trade. Trades must be added in chain order. */
  push(trade: SummedTrade): void {
    this.#trades.push(trade);
    this.hour.apply(trade, 1);
    this.day.apply(trade, 1);
    this.#lastTrades.apply(trade, 1);
    this.advance(trade.timestamp);
  }

  /** Moves the windows' end to `now`, which must not decrease. */
  advance(now: number): void {
    const trades = this.#trades;
    this.#end = Math.max(this.#end, now);
    this.#hourStart = this.#subtractUntil(this.hour, this.#hourStart, now - HOUR_SECONDS);
    this.#dayStart = this.#subtractUntil(this.day, this.#dayStart, now - WINDOW_SECONDS);
    while (trades.next - this.#lastStart > HISTORY_TRADES) {
      this.#lastTrades.apply(trades.at(this.#lastStart++), -1);
    }
    trades.dropBefore(Math.min(this.#dayStart, this.#lastStart));
  }

  figures(): WindowFigures {
    return {
      hour: this.hour.figures(),
      day: this.day.figures(),
      lastTradesPrice: this.#lastTrades.price(),
    };
  }

  /** Subtracts trades up to `end` from the sums. Returns the position of the first that remains. */
  #subtractUntil(sums: WindowSums, start: number, end: number): number {
    let position = start;
    while (position < this.#trades.next && this.#trades.timestampAt(position) <= end) {
      sums.apply(this.#trades.at(position++), -1);
    }
    return position;
  }
}
