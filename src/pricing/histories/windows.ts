import { HOUR_SECONDS } from "../../lib/seconds.ts";
import { quotient } from "../bounded-value.ts";
import { ExactSum } from "./exact-sum.ts";
import { HISTORY_TRADES, WINDOW_SECONDS } from "./past-trade.ts";
import { type SummedTrade, TradeRing } from "./trade-ring.ts";

/** Adds a trade to a sum or takes it away again. */
type Sign = 1 | -1;

/** Σusd / Σtoken over the priced trades among those it was given. */
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
  /** Trades, unpriced ones included. */
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

  /** USD value of the trades. */
  volume(): number {
    return this.#volume.value();
  }

  /** USD value of the accepted trades against cash: those that nobody's opinion of a price went into. */
  support(): number {
    return this.#support.value();
  }

  /** USD per token, by which trades are counted. */
  prices() {
    const buy = this.#buys.price();
    const sell = this.#sells.price();
    const mid = buy === null || sell === null ? null : (buy + sell) / 2;
    return { all: this.#all.price(), total: this.#accepted.price(), buy, sell, mid };
  }
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

  /** Unix time that the windows end at. */
  get end(): number {
    return this.#end;
  }

  /** Trades held in memory. */
  get size(): number {
    return this.#trades.next - this.#trades.first;
  }

  /** Trades come in chain order. */
  push(trade: SummedTrade): void {
    this.#trades.push(trade);
    this.hour.apply(trade, 1);
    this.day.apply(trade, 1);
    this.#lastTrades.apply(trade, 1);
    this.advance(trade.timestamp);
  }

  /** Moves the windows' end to `now`; time never goes back. */
  advance(now: number): void {
    const trades = this.#trades;
    this.#end = Math.max(this.#end, now);
    this.#hourStart = this.#leave(this.hour, this.#hourStart, now - HOUR_SECONDS);
    this.#dayStart = this.#leave(this.day, this.#dayStart, now - WINDOW_SECONDS);
    while (trades.next - this.#lastStart > HISTORY_TRADES) {
      this.#lastTrades.apply(trades.at(this.#lastStart++), -1);
    }
    trades.dropBefore(Math.min(this.#dayStart, this.#lastStart));
  }

  /** Volume-weighted price of the last 100 trades. */
  lastTradesPrice(): number | null {
    return this.#lastTrades.price();
  }

  /** Takes trades up to `end` out of the sums; answers the place of the first that stays. */
  #leave(sums: WindowSums, start: number, end: number): number {
    let place = start;
    while (place < this.#trades.next && this.#trades.timestampAt(place) <= end) {
      sums.apply(this.#trades.at(place++), -1);
    }
    return place;
  }
}
