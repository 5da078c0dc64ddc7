/** The part of a trade that the sums over a window need. */
export interface SummedTrade {
  /** Unix seconds. */
  timestamp: number;
  usd: number | null;
  /** Null if the trade has no price. */
  token: number | null;
  accepted: boolean;
  buy: boolean;
  /** True if the swap's other token is cash. */
  forCash: boolean;
}

/** How many numbers are stored per trade: time, USD, tokens, flags. */
const STRIDE = 4;
const FIRST_CAPACITY = 4;
const ACCEPTED = 1;
const BUY = 2;
const FOR_CASH = 4;

/**
 * A queue of trades that takes 32 bytes per trade, because the busiest tokens have hundreds of thousands of
 * trades a day. A trade's position is counted from the first trade ever added, so it stays the same when
 * earlier trades are dropped.
 */
export class TradeRing {
  #values = new Float64Array(FIRST_CAPACITY * STRIDE);
  #first = 0;
  #next = 0;

  /** Position of the oldest trade held. */
  get first(): number {
    return this.#first;
  }

  /** Position of the next trade to be added. */
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

  timestampAt(position: number): number {
    return this.#values[this.#offset(position)] ?? Number.NaN;
  }

  at(position: number): SummedTrade {
    const at = this.#offset(position);
    const flags = this.#values[at + 3] ?? 0;
    return {
      timestamp: this.timestampAt(position),
      usd: this.#present(at + 1),
      token: this.#present(at + 2),
      accepted: (flags & ACCEPTED) !== 0,
      buy: (flags & BUY) !== 0,
      forCash: (flags & FOR_CASH) !== 0,
    };
  }

  /** Drops the trades before a position. */
  dropBefore(position: number): void {
    this.#first = position;
  }

  #present(at: number): number | null {
    const value = this.#values[at] ?? Number.NaN;
    return Number.isNaN(value) ? null : value;
  }

  #capacity(): number {
    return this.#values.length / STRIDE;
  }

  #offset(position: number): number {
    return (position % this.#capacity()) * STRIDE;
  }

  #resize(): void {
    const grown = new Float64Array(2 * this.#values.length);
    const capacity = grown.length / STRIDE;
    for (let position = this.#first; position < this.#next; position += 1) {
      const from = this.#offset(position);
      grown.set(this.#values.subarray(from, from + STRIDE), (position % capacity) * STRIDE);
    }
    this.#values = grown;
  }
}
