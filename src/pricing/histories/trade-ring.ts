/** What the sums over a window need of a trade. */
export interface SummedTrade {
  /** Unix seconds. */
  timestamp: number;
  usd: number | null;
  /** null where the trade has no price. */
  token: number | null;
  accepted: boolean;
  buy: boolean;
  /** True when the swap's other token is cash. */
  forCash: boolean;
}

/** Numbers a trade takes: time, USD, tokens, flags. */
const STRIDE = 4;
const FIRST_CAPACITY = 4;
const ACCEPTED = 1;
const BUY = 2;
const FOR_CASH = 4;

/**
 * A queue of trades in 32 bytes each: the busiest tokens have hundreds of thousands a day. Trades are
 * addressed by their place since the beginning, which stays the same when earlier ones are dropped.
 */
export class TradeRing {
  #values = new Float64Array(FIRST_CAPACITY * STRIDE);
  #first = 0;
  #next = 0;

  /** Place of the oldest trade held. */
  get first(): number {
    return this.#first;
  }

  /** Place that the next trade will get. */
  get next(): number {
    return this.#next;
  }

  push(trade: SummedTrade): void {
    if (this.#next - this.#first === this.#capacity()) this.#resize();
    const values = this.#values;
    const at = this.#offset(this.#next);
    values[at] = trade.timestamp;
    values[at + 1] = trade.usd ?? Number.NaN;
    values[at + 2] = trade.token ?? Number.NaN;
    values[at + 3] = (trade.accepted ? ACCEPTED : 0) + (trade.buy ? BUY : 0) + (trade.forCash ? FOR_CASH : 0);
    this.#next += 1;
  }

  timestampAt(place: number): number {
    return this.#values[this.#offset(place)] ?? Number.NaN;
  }

  at(place: number): SummedTrade {
    const at = this.#offset(place);
    const flags = this.#values[at + 3] ?? 0;
    return {
      timestamp: this.timestampAt(place),
      usd: this.#present(at + 1),
      token: this.#present(at + 2),
      accepted: (flags & ACCEPTED) !== 0,
      buy: (flags & BUY) !== 0,
      forCash: (flags & FOR_CASH) !== 0,
    };
  }

  /** Drops the trades before `place`. */
  dropBefore(place: number): void {
    this.#first = place;
  }

  #present(at: number): number | null {
    const value = this.#values[at] ?? Number.NaN;
    return Number.isNaN(value) ? null : value;
  }

  #capacity(): number {
    return this.#values.length / STRIDE;
  }

  #offset(place: number): number {
    return (place % this.#capacity()) * STRIDE;
  }

  #resize(): void {
    const grown = new Float64Array(2 * this.#values.length);
    const capacity = grown.length / STRIDE;
    for (let place = this.#first; place < this.#next; place += 1) {
      const from = this.#offset(place);
      grown.set(this.#values.subarray(from, from + STRIDE), (place % capacity) * STRIDE);
    }
    this.#values = grown;
  }
}
