/** Bytes of a trade in a chunk: six numbers of 4 bytes, six of 8, and a hash. */
export const TRADE_BYTES = 104;
export const HASH_BYTES = 32;

/** Consecutive trades in columnar form. Values that a trade does not have are NaN. */
export class TradeChunk {
  length = 0;
  /** Numbers of the interned tokens and pools. */
  tokens = new Uint32Array();
  pools = new Uint32Array();
  /** Distance to the token's previous trade, and to the earlier trade to which searches jump; 0: none. */
  back = new Uint32Array();
  jumps = new Uint32Array();
  /** Position of the trade among the linked trades of its token, counted from the oldest. */
  ordinals = new Uint32Array();
  /** Unix seconds. */
  times = new Uint32Array();
  blocks = new Float64Array();
  tickPrices = new Float64Array();
  robustPrices = new Float64Array();
  pricesEth = new Float64Array();
  amountsToken = new Float64Array();
  amountsUsd = new Float64Array();
  hashes = Buffer.alloc(0);

  get capacity(): number {
    return this.tokens.length;
  }

  grow(capacity: number): void {
    this.tokens = grown(this.tokens, new Uint32Array(capacity));
    this.pools = grown(this.pools, new Uint32Array(capacity));
    this.back = grown(this.back, new Uint32Array(capacity));
    this.jumps = grown(this.jumps, new Uint32Array(capacity));
    this.ordinals = grown(this.ordinals, new Uint32Array(capacity));
    this.times = grown(this.times, new Uint32Array(capacity));
    this.blocks = grown(this.blocks, new Float64Array(capacity));
    this.tickPrices = grown(this.tickPrices, new Float64Array(capacity));
    this.robustPrices = grown(this.robustPrices, new Float64Array(capacity));
    this.pricesEth = grown(this.pricesEth, new Float64Array(capacity));
    this.amountsToken = grown(this.amountsToken, new Float64Array(capacity));
    this.amountsUsd = grown(this.amountsUsd, new Float64Array(capacity));
    this.hashes = grown(this.hashes, Buffer.alloc(capacity * HASH_BYTES));
  }
}

interface Column {
  set(from: ArrayLike<number>): void;
}

function grown<A extends ArrayLike<number> & Column>(from: A, to: A): A {
  to.set(from);
  return to;
}
