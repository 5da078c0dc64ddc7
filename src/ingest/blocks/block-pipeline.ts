import type { Chain } from "../../chains/chain.ts";
import { type DecodedTransaction, decodeBlock } from "../../decode/decode-block.ts";
import {
  type Candidate,
  countSwaps,
  discoverPools,
  unknownPools,
} from "../../decode/pools/pool-discovery.ts";
import { discoverSingletonPools } from "../../decode/pools/singleton-discovery.ts";
import { readTokens, tokenQuestions } from "../../decode/token-metadata.ts";
import type { Hex } from "../../lib/hex.ts";
import { type HistoryLimits, PriceBook } from "../../pricing/price-book.ts";
import { type Block, isWholeFrom } from "../../schema/block.ts";
import { isSingleton } from "../../schema/swap.ts";
import type { Source } from "../../sources/source.ts";
import type { Batch, Engine } from "../../storage/store.ts";
import { walletOf } from "../../storage/stored-balances.ts";
import { BalanceBook, isWrappedIn } from "../caches/balance-cache.ts";
import { PoolBook } from "../caches/pool-cache.ts";
import { TokenBook } from "../caches/token-cache.ts";
import { loadReferenceHistory, loadTradeHistory } from "../caches/trade-history.ts";
import { mergeRows, rowsOf, tokensOf } from "./chain-rows.ts";

interface PipelineOptions {
  chain: Chain;
  source: Pick<Source, "call" | "pastLogs">;
  engine: Engine;
  cacheLimits?: CacheLimits;
}

/** Entries that memory holds beside the price histories. What is beyond is forgotten and read again when needed. */
export interface CacheLimits {
  /** About 400 bytes each. */
  pools: number;
  /** About 300 bytes each. */
  tokens: number;
  /** About 300 bytes each. */
  balances: number;
  /** Price histories; absent: the price book's own bound. */
  histories?: HistoryLimits;
}

const CACHE_LIMITS: CacheLimits = { pools: 500_000, tokens: 500_000, balances: 300_000 };

/** What is committed when a batch is prepared; the pipeline reads nothing above it. */
export interface Committed {
  firstBlock: number;
  blockNumber: number;
  timestamp: number;
}

export interface PreparedBatch extends Batch {
  /** Swaps of which no trade was made: in pools of singletons that nobody tells of. */
  swapsLeftOut: number;
}

/**
 * Turns blocks into rows: finds their pools and tokens, decodes and prices them. What it keeps in memory is
 * a cache over committed rows, so it can be forgotten at any time and the rows stay the same.
 */
export class BlockPipeline {
  readonly #options: PipelineOptions;
  readonly #pools = new PoolBook();
  readonly #tokens = new TokenBook();
  readonly #balances: BalanceBook;
  readonly #prices: PriceBook;
  /** First block of the index; null until one was prepared. */
  #firstBlock: number | null = null;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#balances = new BalanceBook(options.chain.wrappedNative);
    this.#prices = new PriceBook(options.chain, options.cacheLimits?.histories);
  }

  /** The rows of consecutive blocks that follow those prepared before. */
  async prepare(blocks: readonly [Block, ...Block[]], committed: Committed | null): Promise<PreparedBatch> {
    const last = blocks.at(-1) ?? blocks[0];
    this.#firstBlock = committed?.firstBlock ?? this.#firstBlock ?? blocks[0].number;
    this.#pools.pools.learnUpTo(last.number);
    this.#tokens.learnUpTo(last.number);
    this.#balances.learnUpTo(last.number);
    this.#prices.evict(committed?.blockNumber ?? -1);
    const leftOut = await this.#learnPools(blocks, committed);
    const decoded = blocks.map((block) => decodeBlock(block, this.#pools.pools, this.#options.chain));
    await this.#learnTokens(decoded.flat(), committed);
    await this.#learnBalances(decoded.flat(), committed);
    await this.#learnPrices(decoded.flat(), committed);
    const rows = blocks.map((block, i) => this.#finish(block, decoded[i] ?? []));
    return {
      firstBlock: blocks[0].number,
      lastBlock: { number: last.number, hash: last.hash, timestamp: last.timestamp },
      rows: mergeRows(rows),
      swapsLeftOut: countSwaps(blocks, leftOut, this.#options.chain),
    };
  }

  /** Drops what memory holds of the blocks above the given one, which is the newest from then on. */
  rollback(block: { number: number; timestamp: number }): void {
    this.#pools.rollback(block.number);
    this.#tokens.rollback(block.number);
    this.#balances.rollback(block.number);
    this.#prices.rollback(block);
  }

  /** Drops all that memory holds: after a commit that failed. */
  forget(): void {
    this.#pools.forget();
    this.#tokens.forget();
    this.#balances.forget();
    this.#prices.forget();
    this.#firstBlock = null;
  }

  /** True when memory holds more than it may: then evict() is due, once all that was prepared is committed. */
  isFull(): boolean {
    return this.#overfull().length > 0;
  }

  /** Only right when all that was prepared is committed: what is forgotten is read from the store. */
  evict(): void {
    for (const book of this.#overfull()) book.forget();
  }

  #overfull(): { forget(): void }[] {
    const { pools, tokens, balances } = this.#options.cacheLimits ?? CACHE_LIMITS;
    const books = [
      { book: this.#pools, size: this.#pools.pools.size, limit: pools },
      { book: this.#tokens, size: this.#tokens.size, limit: tokens },
      { book: this.#balances, size: this.#balances.size, limit: balances },
    ];
    return books.filter(({ size, limit }) => size > limit).map(({ book }) => book);
  }

  #finish(block: Block, decoded: DecodedTransaction[]) {
    const priced = this.#prices.price(block, decoded, (address) => this.#tokens.get(address));
    const books = {
      chain: this.#options.chain,
      pools: this.#pools,
      tokens: this.#tokens,
      balances: this.#balances,
    };
    return rowsOf({ block, decoded, priced }, { ...books, isWholeChain: this.#isWholeChain });
  }

  get #isWholeChain(): boolean {
    return this.#firstBlock !== null && isWholeFrom(this.#firstBlock);
  }

  /** Gives the pools of singletons that stay unknown. */
  async #learnPools(blocks: readonly Block[], committed: Committed | null): Promise<Set<Hex>> {
    const { chain, engine, source } = this.#options;
    const { pools } = this.#pools;
    const unseen = unknownPools(blocks, pools, chain).map(({ address }) => address);
    await this.#pools.load(engine, chain.name, { addresses: unseen, bound: committed?.blockNumber ?? -1 });
    const candidates = unknownPools(blocks, pools, chain);
    const judged = await discoverPools(candidates, chain, (calls) => source.call(calls));
    for (const [address, pool] of judged) pools.set(address, pool);
    const inSingletons = candidates.filter(({ family }) => isSingleton(family));
    await this.#learnSingletonPools(inSingletons);
    const ids = inSingletons.map(({ address }) => address);
    return new Set(ids.filter((id) => pools.get(id) === undefined));
  }

  async #learnSingletonPools(candidates: readonly Candidate[]): Promise<void> {
    const { chain, source } = this.#options;
    const unasked = candidates.filter(({ address }) => this.#pools.isToBeAskedFor(address, Date.now()));
    const before = this.#firstBlock ?? 0;
    const found = await discoverSingletonPools(unasked, { chain, before }, source);
    for (const [address, pool] of found) this.#pools.pools.set(address, pool);
  }

  async #learnTokens(decoded: DecodedTransaction[], committed: Committed | null): Promise<void> {
    const { chain, engine, source } = this.#options;
    const touched = decoded.flatMap(({ events }) => events.flatMap(tokensOf));
    if (isWrappedIn(decoded, chain.wrappedNative)) touched.push(chain.wrappedNative);
    if (committed !== null) {
      const addresses = this.#tokens.missing(touched);
      await this.#tokens.load(engine, chain.name, { addresses, bound: committed.blockNumber });
    }
    const unknown = this.#tokens.missing(touched);
    await this.#loadPools(unknown, committed);
    const answers = await source.call(tokenQuestions(unknown));
    this.#tokens.add(readTokens(unknown, answers));
  }

  async #learnBalances(decoded: DecodedTransaction[], committed: Committed | null): Promise<void> {
    if (committed === null) return;
    const { chain, engine } = this.#options;
    const bound = committed.blockNumber;
    const holdings = this.#balances.missing(decoded);
    await this.#balances.load(engine, chain.name, { holdings, bound });
    if (this.#isWholeChain) return;
    await this.#loadPools(this.#balances.missing(decoded).map(walletOf), committed);
  }

  /** Has those of some addresses in memory that are pools. */
  async #loadPools(among: readonly Hex[], committed: Committed | null): Promise<void> {
    if (committed === null) return;
    const { chain, engine } = this.#options;
    const addresses = [...new Set(among)].filter((address) => !this.#pools.pools.has(address));
    await this.#pools.load(engine, chain.name, { addresses, bound: committed.blockNumber });
  }

  async #learnPrices(decoded: DecodedTransaction[], committed: Committed | null): Promise<void> {
    const { chain, engine } = this.#options;
    const asOf = committed?.timestamp ?? 0;
    const bound = committed?.blockNumber ?? -1;
    if (this.#prices.needsReference()) {
      const nothing = { native: [], stable: [] };
      const history =
        committed === null ? nothing : await loadReferenceHistory(engine, { chain, bound, asOf });
      this.#prices.restoreReference(history);
    }
    const tokens = this.#prices.missing(new Set(decoded.flatMap(({ events }) => events.flatMap(tokensOf))));
    const histories = await this.#histories(tokens, committed === null ? null : { bound, asOf });
    for (const token of tokens) this.#prices.restore(token, histories.get(token) ?? [], asOf);
  }

  #histories(tokens: Hex[], stored: { bound: number; asOf: number } | null) {
    const { chain, engine } = this.#options;
    if (stored === null || tokens.length === 0) return new Map<Hex, never[]>();
    return loadTradeHistory(engine, { chain: chain.name, tokens, ...stored });
  }
}
