import type { Chain } from "../../chains/chain.ts";
import { completeTokens, NO_TOKENS, type TokenList } from "../../chains/token-list.ts";
import { readTokens, silentAddresses, tokenCalls } from "../../decode/discovery/token-metadata.ts";
import type { Hex } from "../../lib/hex.ts";
import type { HistoryLimits } from "../../pricing/histories/token-histories.ts";
import { type BlockRef, isWholeFrom } from "../../schema/block.ts";
import type { Token } from "../../schema/swap.ts";
import type { Source } from "../../sources/source.ts";
import { readOpenings } from "../../storage/openings/stored-openings.ts";
import type { Engine } from "../../storage/store.ts";
import { type Holding, walletOf } from "../../storage/stored-balances.ts";
import { BalanceCache } from "./balance-cache.ts";
import type { BlockScopedCache, BlockTime } from "./block-scoped-cache.ts";
import { BufferCache } from "./buffer-cache.ts";
import { PoolCache } from "./pool-cache.ts";
import { PriceCache } from "./price-cache.ts";
import { storedTokens, TokenCache } from "./token-cache.ts";

/**
 * Maximum number of entries that each cache keeps in memory. A cache beyond its limit is cleared; its entries
 * are read from the store again when needed.
 */
export interface CacheLimits {
  /** About 400 bytes each. */
  pools: number;
  /** About 300 bytes each. */
  tokens: number;
  /** About 300 bytes each. */
  balances: number;
  /** Limits of the price histories; default: the price book's own. */
  histories?: HistoryLimits;
}

export interface CacheOptions {
  chain: Chain;
  engine: Engine;
  /** Metadata of tokens whose contracts do not reveal it; default: none. */
  tokenList?: TokenList | undefined;
  /**
   * Name of a stored chain that is being copied into this one, with the same first block. Tokens, pools whose
   * creation is not indexed, and balances before that block are taken from the stored chain instead of being
   * read from contracts again; default: none.
   */
  original?: string | undefined;
  cacheLimits?: CacheLimits;
}

const CACHE_LIMITS: CacheLimits = { pools: 500_000, tokens: 500_000, balances: 300_000 };

/**
 * The caches of a chain, with methods that load the pools, tokens, balances and prices that blocks need.
 * `newest` is the newest committed block; no rows of later blocks are read. It is null if no block is
 * committed.
 */
export class BlockCaches {
  readonly pools: PoolCache;
  readonly tokens: TokenCache;
  readonly balances: BalanceCache;
  readonly prices: PriceCache;
  readonly buffers = new BufferCache();
  readonly #all: readonly BlockScopedCache[];
  readonly #chain: Chain;
  readonly #engine: Engine;
  readonly #tokenList: TokenList;
  readonly #original: string | undefined;

  constructor(options: CacheOptions) {
    const { chain, engine, tokenList = NO_TOKENS, original, cacheLimits: limits = CACHE_LIMITS } = options;
    this.#chain = chain;
    this.#engine = engine;
    this.#tokenList = tokenList;
    this.#original = original;
    this.pools = new PoolCache(limits.pools);
    this.tokens = new TokenCache(limits.tokens);
    this.balances = new BalanceCache(limits.balances);
    this.prices = new PriceCache(chain, limits.histories);
    this.#all = [this.pools, this.tokens, this.balances, this.prices, this.buffers];
  }

  get isFull(): boolean {
    return this.#all.some(({ isFull }) => isFull);
  }

  advanceTo(lastBlock: number, newest: BlockTime | null): void {
    for (const cache of this.#all) cache.advanceTo(lastBlock, newest?.number ?? -1);
  }

  rollbackTo(block: BlockTime): void {
    for (const cache of this.#all) cache.rollbackTo(block);
  }

  clearFull(): void {
    for (const cache of this.#all) if (cache.isFull) cache.clear();
  }

  clear(): void {
    for (const cache of this.#all) cache.clear();
  }

  /** Adds the stored pools with these addresses. */
  async loadPools(addresses: readonly Hex[], newest: BlockTime | null): Promise<void> {
    const missing = this.pools.missing(addresses);
    await this.pools.load(this.#engine, this.#chain.name, missing, newest?.number ?? -1);
    if (this.#original === undefined) return;
    await this.pools.loadOlder(this.#engine, this.#original, this.pools.missing(missing));
  }

  /**
   * Adds tokens from the store, or else from their contracts and the list. Also adds the stored pools with
   * the addresses of unknown tokens.
   *
   * @param firstBlocks for each token, the first of the blocks being prepared in which it occurs
   * @returns the tokens that may have no contract yet, which are not added
   */
  async loadTokens(
    firstBlocks: ReadonlyMap<Hex, BlockRef>,
    call: Source["call"],
    newest: BlockTime | null,
  ): Promise<Token[]> {
    if (newest !== null) {
      const missing = this.tokens.missing(firstBlocks.keys());
      await this.tokens.load(this.#engine, this.#chain.name, missing, newest.number);
    }
    if (this.#original !== undefined) await this.#loadOriginal(this.#original, firstBlocks.keys());
    const unknown = this.tokens.missing(firstBlocks.keys());
    if (newest !== null) await this.loadPools(unknown, newest);
    const firstSeen = unknown.map((address) => ({ address, block: firstBlocks.get(address) }));
    const results = (await call(tokenCalls(firstSeen))) ?? [];
    const silent = silentAddresses(unknown, results);
    for (const address of [this.#chain.wrappedNative, ...this.#tokenList.keys()]) silent.delete(address);
    const found = completeTokens(readTokens(unknown, results), this.#tokenList);
    this.tokens.addAll(found.filter(({ address }) => !silent.has(address)));
    return found.filter(({ address }) => silent.has(address));
  }

  async #loadOriginal(chain: string, addresses: Iterable<Hex>): Promise<void> {
    const stored = await storedTokens(this.#engine, chain, this.tokens.missing(addresses));
    this.tokens.addAll(completeTokens(stored, this.#tokenList));
  }

  /**
   * Adds stored balances. Unless the whole chain is indexed, also adds the balances before the first block,
   * and the stored pools among the wallets whose balance is still unknown.
   */
  async loadBalances(
    holdings: ReadonlySet<Holding>,
    firstBlock: number,
    newest: BlockTime | null,
  ): Promise<void> {
    const [engine, chain] = [this.#engine, this.#chain];
    const missing = this.balances.missing(holdings);
    if (newest !== null) await this.balances.load(engine, chain, missing, newest.number);
    if (isWholeFrom(firstBlock)) return;
    const unknown = this.balances.missing(missing);
    this.balances.addAll(
      await readOpenings(engine, { chain: this.#original ?? chain.name, firstBlock }, unknown),
    );
    if (newest !== null) await this.loadPools(this.balances.missing(unknown).map(walletOf), newest);
  }

  /** Adds the trade histories of tokens. */
  async loadPrices(tokens: Iterable<Hex>, newest: BlockTime | null): Promise<void> {
    await this.prices.load(this.#engine, tokens, newest);
  }
}
