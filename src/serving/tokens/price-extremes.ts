import type { Hex } from "../../lib/hex.ts";

/** A trade that has a price. */
export interface PricedTrade {
  /** Unix seconds. */
  readonly tradedAt: number;
  readonly blockNumber: number;
  readonly transactionHash: Hex;
  /** USD per token. */
  readonly price: number;
  /** Native coin per token. */
  readonly priceEth: number | null;
}

/** A token's first, highest, lowest and newest priced trade; among equal prices, the first trade. */
export interface ExtremeTrades {
  readonly opened: PricedTrade;
  readonly highest: PricedTrade;
  readonly lowest: PricedTrade;
  readonly closed: PricedTrade;
}

/** How many numbers are stored per trade. */
const WIDTH = 4;
const HASH_BYTES = 32;

/** Memory of the four objects that make up a value, without its trades. */
const EMPTY_BYTES = 112;
const TRADE_BYTES = 8 * WIDTH + HASH_BYTES;

/** Memory of a value with four different trades. */
export const MAX_EXTREMES_BYTES = EMPTY_BYTES + 4 * TRADE_BYTES;

/** Buffers for assembling the hashes of a value, and for printing one of them. */
const hashes = Buffer.alloc(4 * HASH_BYTES);
const oneHash = Buffer.alloc(HASH_BYTES);

/**
 * Extreme trades as one array of numbers and one string of hashes, with each trade stored once, because
 * objects would take two to four times the memory. Immutable: adding a trade makes a new object.
 */
export class PriceExtremes implements ExtremeTrades {
  /** Time, block, price and price in the native coin (NaN without one) of each distinct trade. */
  readonly #numbers: readonly number[];
  /** The bytes of the transaction hashes, one character per byte. */
  readonly #hashes: string;
  /**
   * Which of the trades is the highest, the lowest and the newest, in two bits each. The opening trade is
   * always at 0.
   */
  readonly #places: number;

  constructor({ opened, highest, lowest, closed }: ExtremeTrades) {
    const trades = [opened];
    this.#places = placeIn(trades, highest) | (placeIn(trades, lowest) << 2) | (placeIn(trades, closed) << 4);
    const numbers: number[] = [];
    trades.forEach((trade, place) => {
      const { tradedAt, blockNumber, price, priceEth } = trade;
      numbers.push(tradedAt, blockNumber, price, priceEth ?? Number.NaN);
      const start = place * HASH_BYTES;
      if (trade instanceof StoredTrade) hashes.write(trade.hashBytes, start, "latin1");
      else hashes.write(trade.transactionHash.slice(2), start, "hex");
    });
    // The copy has no spare capacity.
    this.#numbers = numbers.slice();
    this.#hashes = hashes.toString("latin1", 0, trades.length * HASH_BYTES);
  }

  get opened(): PricedTrade {
    return this.#tradeAt(0);
  }

  get highest(): PricedTrade {
    return this.#tradeAt(this.#places & 3);
  }

  get lowest(): PricedTrade {
    return this.#tradeAt((this.#places >>> 2) & 3);
  }

  get closed(): PricedTrade {
    return this.#tradeAt(this.#places >>> 4);
  }

  get bytes(): number {
    return EMPTY_BYTES + 8 * this.#numbers.length + this.#hashes.length;
  }

  /** Content of the value, for comparisons. */
  content(): unknown {
    return [this.#numbers, this.#hashes, this.#places];
  }

  #tradeAt(place: number): PricedTrade {
    return new StoredTrade(this.#numbers, this.#hashes, place);
  }
}

/**
 * Returns extremes that include later trades. A later trade at an equal price does not replace an earlier
 * one.
 */
export function withLaterTrades(known: ExtremeTrades | null, later: ExtremeTrades): ExtremeTrades {
  if (known === null) return later;
  return {
    opened: known.opened,
    highest: later.highest.price > known.highest.price ? later.highest : known.highest,
    lowest: later.lowest.price < known.lowest.price ? later.lowest : known.lowest,
    closed: later.closed,
  };
}

/** A trade in a `PriceExtremes`, whose hash is read only when it is needed. */
class StoredTrade implements PricedTrade {
  readonly #numbers: readonly number[];
  readonly #hashes: string;
  readonly #place: number;

  constructor(numbers: readonly number[], texts: string, place: number) {
    this.#numbers = numbers;
    this.#hashes = texts;
    this.#place = place;
  }

  get tradedAt(): number {
    return this.#number(0);
  }

  get blockNumber(): number {
    return this.#number(1);
  }

  get price(): number {
    return this.#number(2);
  }

  get priceEth(): number | null {
    const price = this.#number(3);
    return Number.isNaN(price) ? null : price;
  }

  /** The transaction's hash, one character per byte. */
  get hashBytes(): string {
    const start = this.#place * HASH_BYTES;
    return this.#hashes.slice(start, start + HASH_BYTES);
  }

  get transactionHash(): Hex {
    oneHash.write(this.hashBytes, "latin1");
    return `0x${oneHash.toString("hex")}`;
  }

  #number(index: number): number {
    return this.#numbers[this.#place * WIDTH + index] as number;
  }
}

/** Returns the index of a trade among distinct ones; adds it if it is missing. */
function placeIn(trades: PricedTrade[], trade: PricedTrade): number {
  const place = trades.findIndex((other) => isSame(other, trade));
  return place >= 0 ? place : trades.push(trade) - 1;
}

function isSame(a: PricedTrade, b: PricedTrade): boolean {
  return (
    a === b ||
    (a.blockNumber === b.blockNumber &&
      a.price === b.price &&
      a.priceEth === b.priceEth &&
      a.transactionHash === b.transactionHash)
  );
}
