import { seeded } from "../seeded.ts";

/** A trade of the token for dollars, with labels that the price book does not see. */
export interface LabelledTrade {
  block: number;
  timestamp: number;
  /** Trades with the same number are in one transaction. */
  transaction: number;
  pool: number;
  trader: number;
  price: number;
  usd: number;
  buys: boolean;
  /** The token's true value at that moment, in USD. */
  truth: number;
  /** True if the trade is part of a manipulation or a mistake, or if one of these caused its price. */
  bent: boolean;
  /** The pool of the trade, and the pool's price afterwards. Absent if wallets agreed on a price. */
  made?: { by: Opening; after: number };
}

/** The terms on which a pool was opened. Each pool has its own object. */
export interface Opening {
  /** USD on each side. */
  depth: number;
  fee: number;
  /** USD per token. */
  price: number;
}

export interface MarketOptions {
  /** Dollars on the stable side of each pool, and the pool's fee. */
  pools: { depth: number; fee: number }[];
  secondsPerTrade: number;
  /**
   * Daily volatility of the token's value, as a share: 0.03 for a major coin, 0.3 for a very volatile one.
   */
  dailyVolatility: number;
  /**
   * Factor by which the token's value differs from the random walk, as a function of the seconds since the
   * beginning.
   */
  path?: (seconds: number) => number;
  /**
   * Median trade size, as a share of the pool. The logarithms of the sizes are normally distributed, with a
   * standard deviation of 1. Default: 0.001.
   */
  typicalShare?: number;
  /** Number of wallets that trade, not counting the arbitrageurs. Default: 200. */
  wallets?: number;
}

interface Pool {
  tokens: number;
  usd: number;
  fee: number;
  opening: Opening;
  /** True if an attack moved the pool's price away from the token's value. */
  bent: boolean;
}

const BLOCK_SECONDS = 12;
const FIRST_ARBITRAGEUR = 900;
const ARBITRAGEURS = 5;
/** Minimum profit of an arbitrageur, in USD. */
const GAS_USD = 1;
const TYPICAL_SHARE = 0.001;
const LARGEST_SHARE = 0.02;
/** A pool is considered recovered from an attack if it is this close to the token's value. */
const HEALED = 0.005;

/**
 * Simulates a token in constant-product pools. Its value is a random walk. Strangers buy and sell,
 * arbitrageurs keep the pools close to the value, and attackers follow their script.
 */
export class AmmMarket {
  readonly trades: LabelledTrade[] = [];
  readonly random: () => number;
  readonly pools: Pool[];
  block = 1;
  timestamp = 1_700_000_000;
  truth = 1;
  readonly #options: MarketOptions;
  #walk = 1;
  #transactions = 0;
  #seconds = 0;

  constructor(seed: number, options: MarketOptions) {
    this.random = seeded(seed);
    this.#options = options;
    this.pools = options.pools.map(({ depth, fee }) => {
      const opening = { depth, fee, price: this.truth };
      return { tokens: depth, usd: depth, fee, opening, bent: false };
    });
  }

  /** Simulates honest trading until at least this many more trades have been made. */
  run(trades: number): void {
    const end = this.trades.length + trades;
    while (this.trades.length < end) this.step();
  }

  /** Advances to the next block with honest trades. Arbitrageurs trade first. */
  step(): void {
    const { secondsPerTrade } = this.#options;
    const blocks = Math.max(1, Math.ceil((this.random() * 2 * secondsPerTrade) / BLOCK_SECONDS));
    this.wait(blocks);
    for (const place of this.pools.keys()) this.#arbitrage(place);
    const count = (blocks * BLOCK_SECONDS) / secondsPerTrade;
    const whole = secondsPerTrade >= BLOCK_SECONDS ? 1 : Math.floor(2 * count * this.random() + 0.5);
    for (let i = 0; i < whole; i += 1) this.#strangerTrades();
  }

  /**
   * Advances to the next block with honest trades. `act` trades in each block up to that one, before the
   * honest traders. Returns how often `act` was called.
   */
  stepBetween(act: () => void): number {
    const { block, timestamp } = this;
    const first = this.trades.length;
    this.step();
    const honest = this.trades.splice(first);
    const blocks = this.block - block;
    for (let passed = 1; passed <= blocks; passed += 1) {
      this.block = block + passed;
      this.timestamp = timestamp + passed * BLOCK_SECONDS;
      act();
    }
    this.trades.push(...honest);
    return blocks;
  }

  /** Advances by blocks without trades. */
  wait(blocks: number): void {
    const { dailyVolatility, path = () => 1 } = this.#options;
    this.block += blocks;
    this.timestamp += blocks * BLOCK_SECONDS;
    this.#seconds += blocks * BLOCK_SECONDS;
    this.#walk *= Math.exp(dailyVolatility * Math.sqrt((blocks * BLOCK_SECONDS) / 86_400) * this.normal());
    this.truth = this.#walk * path(this.#seconds);
  }

  normal(): number {
    const [a, b] = [1 - this.random(), this.random()];
    return Math.sqrt(-2 * Math.log(a)) * Math.cos(2 * Math.PI * b);
  }

  /** Continues after another market's last block, with the same token in the pools of this market. */
  continueFrom(other: AmmMarket): void {
    this.block = other.block;
    this.timestamp = other.timestamp;
    this.#transactions = other.transaction();
    const { path = () => 1 } = this.#options;
    this.#walk = other.truth;
    this.truth = this.#walk * path(0);
    for (const pool of this.pools) {
      pool.tokens = pool.usd / this.truth;
      pool.opening.price = this.truth;
    }
  }

  /** Returns the number of a new transaction. */
  transaction(): number {
    this.#transactions += 1;
    return this.#transactions;
  }

  priceIn(place: number): number {
    const pool = this.pools[place];
    return pool === undefined ? Number.NaN : pool.usd / pool.tokens;
  }

  /** Buys tokens for dollars. Returns the amount of tokens. */
  buy(place: number, usd: number, by: Deed): number {
    const pool = this.#pool(place);
    const taken = usd * (1 - pool.fee);
    const tokens = (pool.tokens * taken) / (pool.usd + taken);
    pool.usd += usd;
    pool.tokens -= tokens;
    this.#note(place, { usd, tokens, buys: true }, by);
    return tokens;
  }

  sell(place: number, tokens: number, by: Deed): void {
    const pool = this.#pool(place);
    const taken = tokens * (1 - pool.fee);
    const usd = (pool.usd * taken) / (pool.tokens + taken);
    pool.tokens += tokens;
    pool.usd -= usd;
    this.#note(place, { usd, tokens, buys: false }, by);
  }

  /** Returns the dollars that raise a pool's price by this factor, which must be above 1. */
  usdToMove(place: number, factor: number): number {
    const pool = this.#pool(place);
    return (pool.usd * (Math.sqrt(factor) - 1)) / (1 - pool.fee);
  }

  /** Returns the tokens that lower a pool's price by this factor, which must be below 1. */
  tokensToMove(place: number, factor: number): number {
    const pool = this.#pool(place);
    return (pool.tokens * (1 / Math.sqrt(factor) - 1)) / (1 - pool.fee);
  }

  /**
   * Adds a trade at a price that no pool set, such as one between wallets of the same owner, or one of a
   * token that taxes transfers.
   */
  declare(price: number, usd: number, by: Deed & { pool?: number; buys?: boolean }): void {
    this.#push({ pool: by.pool ?? 99, price, usd, buys: by.buys ?? this.random() < 0.5 }, by);
  }

  #pool(place: number): Pool {
    const pool = this.pools[place];
    if (pool === undefined) throw new Error(`no pool ${place}`);
    return pool;
  }

  #strangerTrades(): void {
    const { wallets = 200, typicalShare = TYPICAL_SHARE } = this.#options;
    const total = this.pools.reduce((sum, { usd }) => sum + usd, 0);
    let at = this.random() * total;
    const found = this.pools.findIndex(({ usd }) => {
      at -= usd;
      return at < 0;
    });
    const place = Math.max(0, found);
    const pool = this.#pool(place);
    const share = Math.min(LARGEST_SHARE, typicalShare * Math.exp(this.normal()));
    const by = { trader: Math.floor(this.random() * wallets) };
    if (this.random() < 0.5) this.buy(place, pool.usd * share, by);
    else this.sell(place, pool.tokens * share, by);
  }

  #arbitrage(place: number): void {
    const pool = this.#pool(place);
    const off = Math.log(this.priceIn(place) / this.truth);
    const reach = Math.abs(off) - pool.fee;
    if (reach <= 0 || (pool.usd * reach * reach) / 4 < GAS_USD) return;
    const by = { trader: FIRST_ARBITRAGEUR + Math.floor(this.random() * ARBITRAGEURS) };
    if (off > 0) this.sell(place, this.tokensToMove(place, Math.exp(-reach)), by);
    else this.buy(place, this.usdToMove(place, Math.exp(reach)), by);
  }

  #note(place: number, deal: { usd: number; tokens: number; buys: boolean }, by: Deed): void {
    const pool = this.#pool(place);
    const { usd, tokens, buys } = deal;
    const bent = (by.bent ?? false) || pool.bent;
    const made = { by: pool.opening, after: this.priceIn(place) };
    this.#push({ pool: place, price: usd / tokens, usd, buys, made }, { ...by, bent });
    pool.bent = bent && Math.abs(Math.log(this.priceIn(place) / this.truth)) > pool.fee + HEALED;
  }

  #push(deal: Deal, by: Deed): void {
    const { block, timestamp, truth } = this;
    const { trader, bent = false, transaction = this.transaction() } = by;
    this.trades.push({ block, timestamp, transaction, trader, truth, bent, ...deal });
  }
}

type Deal = Pick<LabelledTrade, "pool" | "price" | "usd" | "buys" | "made">;

/** The trader, and the transaction that the trade is part of. */
interface Deed {
  trader: number;
  bent?: boolean;
  transaction?: number;
}
