import { fromBytes, type Hex } from "../../lib/hex.ts";
import type { TradePrice } from "../../schema/trade-price.ts";
import { Interned } from "./interned.ts";
import { HASH_BYTES, TRADE_BYTES, TradeChunk } from "./trade-chunk.ts";

/** A trade to append. Numbers that the trade does not have are NaN. */
export interface WindowTrade {
  timestamp: number;
  blockNumber: number;
  token: Hex;
  pool: Hex;
  tickPrice: number;
  robustPrice: number;
  priceEth: number;
  amountToken: number;
  amountUsd: number;
  /** Holds the 32 bytes of the transaction's hash, starting at `hashAt`. */
  bytes: Buffer;
  hashAt: number;
}

/** Returns an empty trade. The same object is filled in for many trades, one after another. */
export function blankTrade(): WindowTrade {
  return {
    timestamp: 0,
    blockNumber: 0,
    token: "0x",
    pool: "0x",
    tickPrice: 0,
    robustPrice: 0,
    priceEth: 0,
    amountToken: 0,
    amountUsd: 0,
    bytes: Buffer.alloc(HASH_BYTES),
    hashAt: 0,
  };
}

/** A number that means no trade. Trades are numbered in chain order, from 0. */
export const NO_TRADE = -1;

/**
 * Maximum size of a chunk, as the binary logarithm of its number of trades. 65,536 trades take 7 MB, and a
 * chunk is dropped as a whole.
 */
const MAX_CHUNK_BITS = 16;
const MIN_CHUNK_BITS = 4;
/** Minimum number of chunks in a window, because dropping one must leave most of the window. */
const MIN_CHUNKS = 8;
/** Initial capacity of a chunk in trades, and the factor by which it grows. */
const FIRST_CAPACITY = 1024;
const GROWTH = 4;
/** Bytes of an interned token or pool: a string of 42 or 66 characters, and its map entry. */
const INTERNED_BYTES = 200;

/**
 * The newest trades of a chain in chain order, in columnar form. The trades of a token are linked from the
 * newest to the oldest, with jumps as in Myers' random-access lists ("An applicative random-access stack",
 * 1983), so that a token's newest trade at any time is found in a logarithmic number of steps.
 */
export class TradeRows {
  readonly #bits: number;
  readonly #mask: number;
  readonly #maxBytes: number;
  #chunks: TradeChunk[] = [];
  /** Numbers of the oldest trade, and of the next one to append. */
  #first = 0;
  #next = 0;
  readonly #tokens = new Interned();
  readonly #pools = new Interned();
  /** The newest trade of each interned token. */
  readonly #heads: number[] = [];
  #isOrdered = true;
  /** All trades of the chain after this time, unix seconds, are in the window. */
  #completeAfter: number;

  /** @param completeAfter time after which all trades will be appended */
  constructor(maxBytes: number, completeAfter: number) {
    this.#completeAfter = completeAfter;
    const chunkTrades = Math.max(1, maxBytes / TRADE_BYTES / MIN_CHUNKS);
    this.#bits = Math.min(MAX_CHUNK_BITS, Math.max(MIN_CHUNK_BITS, Math.floor(Math.log2(chunkTrades))));
    this.#mask = 2 ** this.#bits - 1;
    this.#maxBytes = maxBytes;
  }

  get first(): number {
    return this.#first;
  }

  get next(): number {
    return this.#next;
  }

  get completeAfter(): number {
    return this.#completeAfter;
  }

  /**
   * False if any trade was earlier than the one before it in the chain, which makes searches by time
   * incorrect.
   */
  get isOrdered(): boolean {
    return this.#isOrdered;
  }

  /** Time of the newest trade, unix seconds; 0 if there is none. */
  get newestTime(): number {
    return this.#next > this.#first ? this.timeOf(this.#next - 1) : 0;
  }

  get bytes(): number {
    const trades = this.#chunks.reduce((sum, { capacity }) => sum + capacity, 0);
    return trades * TRADE_BYTES + (this.#tokens.size + this.#pools.size) * INTERNED_BYTES;
  }

  append(trade: WindowTrade): void {
    if (trade.timestamp < this.newestTime) this.#isOrdered = false;
    const chunk = this.#chunkForNext();
    const row = this.#next & this.#mask;
    const token = this.#tokens.use(trade.token);
    chunk.tokens[row] = token;
    chunk.pools[row] = this.#pools.use(trade.pool);
    chunk.times[row] = trade.timestamp;
    chunk.blocks[row] = trade.blockNumber;
    chunk.tickPrices[row] = trade.tickPrice;
    chunk.robustPrices[row] = trade.robustPrice;
    chunk.pricesEth[row] = trade.priceEth;
    chunk.amountsToken[row] = trade.amountToken;
    chunk.amountsUsd[row] = trade.amountUsd;
    trade.bytes.copy(chunk.hashes, row * HASH_BYTES, trade.hashAt, trade.hashAt + HASH_BYTES);
    this.#link(chunk, row, token);
    chunk.length = row + 1;
    this.#heads[token] = this.#next++;
  }

  /** Removes the trades of all blocks above a block. */
  removeAbove(block: number): void {
    while (this.#next > this.#first) {
      const newest = this.#next - 1;
      const chunk = this.#chunkOf(newest);
      const row = newest & this.#mask;
      if (at(chunk.blocks, row) <= block) return;
      const token = at(chunk.tokens, row);
      this.#heads[token] = this.previous(newest);
      this.#release(chunk, row);
      chunk.length = row;
      this.#next = newest;
      if (row === 0) this.#chunks.pop();
    }
  }

  /**
   * Drops the oldest chunk while all its trades are older than a time, or the bytes exceed the limit. The
   * newest chunk stays.
   *
   * @param onDrop called before trades are dropped, with the number of the trade after them
   */
  trim(before: number, onDrop: (end: number) => void): void {
    for (
      let oldest = this.#chunks[0];
      oldest !== undefined && this.#chunks.length > 1;
      oldest = this.#chunks[0]
    ) {
      const newest = this.#first + oldest.length - 1;
      if (this.timeOf(newest) >= before && this.bytes <= this.#maxBytes) return;
      onDrop(newest + 1);
      this.#completeAfter = this.timeOf(newest);
      for (let row = 0; row < oldest.length; row++) this.#release(oldest, row);
      this.#chunks.shift();
      this.#first = newest + 1;
    }
  }

  /** Returns the newest trade of a token at or before a time; NO_TRADE if the window has none. */
  newestOf(token: Hex, until: number): number {
    let trade = this.#headOf(token);
    while (trade !== NO_TRADE && this.timeOf(trade) > until) {
      const jump = this.#jumpOf(trade);
      trade = jump !== NO_TRADE && this.timeOf(jump) > until ? jump : this.previous(trade);
    }
    return trade;
  }

  /** Returns the previous trade of the same token; NO_TRADE if the window has none. */
  previous(trade: number): number {
    return this.#earlier(trade, at(this.#chunkOf(trade).back, trade & this.#mask));
  }

  tokenOf(trade: number): Hex {
    return this.#tokens.valueOf(at(this.#chunkOf(trade).tokens, trade & this.#mask));
  }

  /** Returns the number of a pool, as `poolOf` returns it; undefined if it has no trades in the window. */
  poolNumber(pool: Hex): number | undefined {
    return this.#pools.idOf(pool);
  }

  poolOf(trade: number): number {
    return at(this.#chunkOf(trade).pools, trade & this.#mask);
  }

  timeOf(trade: number): number {
    return at(this.#chunkOf(trade).times, trade & this.#mask);
  }

  blockOf(trade: number): number {
    return at(this.#chunkOf(trade).blocks, trade & this.#mask);
  }

  /** Returns USD per token, or NaN if the trade has no price of that type. */
  priceOf(trade: number, type: TradePrice): number {
    const { tickPrices, robustPrices } = this.#chunkOf(trade);
    return at(type === "price_token_usd_tick_1" ? tickPrices : robustPrices, trade & this.#mask);
  }

  priceEthOf(trade: number): number {
    return at(this.#chunkOf(trade).pricesEth, trade & this.#mask);
  }

  amountTokenOf(trade: number): number {
    return at(this.#chunkOf(trade).amountsToken, trade & this.#mask);
  }

  amountUsdOf(trade: number): number {
    return at(this.#chunkOf(trade).amountsUsd, trade & this.#mask);
  }

  hashOf(trade: number): Hex {
    const start = (trade & this.#mask) * HASH_BYTES;
    return fromBytes(this.#chunkOf(trade).hashes.subarray(start, start + HASH_BYTES));
  }

  /** Copies a trade into an object that can be appended to other rows. */
  read(trade: number, to: WindowTrade): void {
    const chunk = this.#chunkOf(trade);
    const row = trade & this.#mask;
    to.timestamp = at(chunk.times, row);
    to.blockNumber = at(chunk.blocks, row);
    to.token = this.#tokens.valueOf(at(chunk.tokens, row));
    to.pool = this.#pools.valueOf(at(chunk.pools, row));
    to.tickPrice = at(chunk.tickPrices, row);
    to.robustPrice = at(chunk.robustPrices, row);
    to.priceEth = at(chunk.pricesEth, row);
    to.amountToken = at(chunk.amountsToken, row);
    to.amountUsd = at(chunk.amountsUsd, row);
    to.bytes = chunk.hashes;
    to.hashAt = row * HASH_BYTES;
  }

  #chunkForNext(): TradeChunk {
    const row = this.#next & this.#mask;
    if (row === 0) this.#chunks.push(new TradeChunk());
    const chunk = this.#chunks.at(-1) as TradeChunk;
    if (row === chunk.capacity) chunk.grow(Math.min(this.#mask + 1, Math.max(FIRST_CAPACITY, row * GROWTH)));
    return chunk;
  }

  #link(chunk: TradeChunk, row: number, token: number): void {
    const trade = this.#next;
    const head = this.#current(this.#heads[token]);
    const jump = head === NO_TRADE ? NO_TRADE : this.#jumpAfter(head);
    chunk.back[row] = head === NO_TRADE ? 0 : trade - head;
    chunk.jumps[row] = jump === NO_TRADE ? 0 : trade - jump;
    chunk.ordinals[row] = head === NO_TRADE ? 1 : this.#ordinalOf(head) + 1;
  }

  /**
   * Returns the trade to which the trade after `head` jumps. Two jumps of equal length are merged into one.
   */
  #jumpAfter(head: number): number {
    const jump = this.#jumpOf(head);
    if (jump === NO_TRADE) return head;
    const next = this.#jumpOf(jump);
    if (next === NO_TRADE) return head;
    const isEven =
      this.#ordinalOf(head) - this.#ordinalOf(jump) === this.#ordinalOf(jump) - this.#ordinalOf(next);
    return isEven ? next : head;
  }

  #jumpOf(trade: number): number {
    return this.#earlier(trade, at(this.#chunkOf(trade).jumps, trade & this.#mask));
  }

  #ordinalOf(trade: number): number {
    return at(this.#chunkOf(trade).ordinals, trade & this.#mask);
  }

  #headOf(token: Hex): number {
    const id = this.#tokens.idOf(token);
    return id === undefined ? NO_TRADE : this.#current(this.#heads[id]);
  }

  /**
   * Returns a trade, or NO_TRADE if the window no longer has it. Interned numbers are reused, so the head of
   * a token may be a dropped trade of another token.
   */
  #current(head: number | undefined): number {
    return head === undefined || head < this.#first ? NO_TRADE : head;
  }

  #earlier(trade: number, distance: number): number {
    return distance === 0 ? NO_TRADE : this.#current(trade - distance);
  }

  #release(chunk: TradeChunk, row: number): void {
    this.#tokens.release(at(chunk.tokens, row));
    this.#pools.release(at(chunk.pools, row));
  }

  /**
   * Returns the chunk that holds a trade. All chunks but the newest are full, and `first` is a multiple of
   * their size.
   */
  #chunkOf(trade: number): TradeChunk {
    return this.#chunks[(trade - this.#first) >>> this.#bits] as TradeChunk;
  }
}

function at(column: ArrayLike<number>, row: number): number {
  return column[row] as number;
}
