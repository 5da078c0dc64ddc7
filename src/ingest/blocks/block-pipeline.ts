import type { Chain } from "../../chains/chain.ts";
import { type DecodedBlock, decodeBlock } from "../../decode/blocks/decode-block.ts";
import { type ScannedBlock, scanBlock } from "../../decode/blocks/scan-block.ts";
import { readTokens, tokenCalls } from "../../decode/discovery/token-metadata.ts";
import { type Candidate, countSwaps, unknownPools } from "../../decode/discovery/unknown-pools.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import type { Hex } from "../../lib/hex.ts";
import type { HistoryLimits } from "../../pricing/histories/token-histories.ts";
import { type Block, isWholeFrom } from "../../schema/block.ts";
import { isSingleton, type Token } from "../../schema/swap.ts";
import type { Rows } from "../../schema/tables.ts";
import type { Source } from "../../sources/source.ts";
import type { Batch, Engine } from "../../storage/store.ts";
import { type Holding, walletOf } from "../../storage/stored-balances.ts";
import { BalanceCache } from "../caches/balance-cache.ts";
import { balanceChanges } from "../caches/balance-changes.ts";
import type { BlockScopedCache, BlockTime } from "../caches/block-scoped-cache.ts";
import { PoolCache } from "../caches/pool-cache.ts";
import { PriceCache } from "../caches/price-cache.ts";
import { recordBlock, tokensOf } from "../caches/record-block.ts";
import { TokenCache } from "../caches/token-cache.ts";
import { discoverContractPools } from "../discovery/contract-pools.ts";
import { discoverSingletonPools } from "../discovery/singleton-pools.ts";
import { mergeRows, rowsOfBlock } from "../rows/rows-of-block.ts";

interface PipelineOptions {
  chain: Chain;
  source: Pick<Source, "call" | "pastLogs">;
  engine: Engine;
  cacheLimits?: CacheLimits;
  clock?: Clock;
}

/** Entries kept in memory. A cache beyond its limit is cleared, and read again from the store when needed. */
export interface CacheLimits {
  /** About 400 bytes each. */
  pools: number;
  /** About 300 bytes each. */
  tokens: number;
  /** About 300 bytes each. */
  balances: number;
  /** Price histories; default: the price book's own limits. */
  histories?: HistoryLimits;
}

const CACHE_LIMITS: CacheLimits = { pools: 500_000, tokens: 500_000, balances: 300_000 };

/** The committed blocks when a batch is prepared. The pipeline reads no row above them. */
export interface Committed {
  firstBlock: number;
  blockNumber: number;
  timestamp: number;
}

export interface PreparedBatch extends Batch {
  /** Swaps without trades, in pools of singletons that neither contracts nor endpoints reveal. */
  swapsLeftOut: number;
}

/** A decoded block and the sum that it adds to each holding. */
interface DecodedChanges {
  decoded: DecodedBlock;
  changes: ReadonlyMap<Holding, bigint>;
}

/**
 * Turns blocks into rows: scans their logs, discovers their pools and tokens, decodes and prices them. All that it
 * keeps in memory is caches over committed rows, which can be cleared at any time without changing a row.
 */
export class BlockPipeline {
  readonly #options: PipelineOptions;
  readonly #clock: Clock;
  readonly #pools: PoolCache;
  readonly #tokens: TokenCache;
  readonly #balances: BalanceCache;
  readonly #prices: PriceCache;
  readonly #caches: readonly BlockScopedCache[];
  /** First block of the index; null until one is prepared. */
  #firstBlock: number | null = null;

  constructor(options: PipelineOptions) {
    const { pools, tokens, balances, histories } = options.cacheLimits ?? CACHE_LIMITS;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#pools = new PoolCache(pools);
    this.#tokens = new TokenCache(tokens);
    this.#balances = new BalanceCache(balances);
    this.#prices = new PriceCache(options.chain, histories);
    this.#caches = [this.#pools, this.#tokens, this.#balances, this.#prices];
  }

  /** The rows of consecutive blocks that follow the blocks prepared before. */
  async prepare(blocks: readonly [Block, ...Block[]], committed: Committed | null): Promise<PreparedBatch> {
    const { chain } = this.#options;
    const last = blocks.at(-1) ?? blocks[0];
    const newest = committed && { number: committed.blockNumber, timestamp: committed.timestamp };
    this.#firstBlock = committed?.firstBlock ?? this.#firstBlock ?? blocks[0].number;
    for (const cache of this.#caches) cache.advanceTo(last.number, newest?.number ?? -1);
    const scanned = blocks.map((block) => scanBlock(block, chain));
    const unidentified = await this.#discoverPools(scanned, newest);
    const decoded = scanned.map((block) => this.#decode(block));
    const tokens = tokensIn(decoded);
    await this.#loadTokens(tokens, this.#hasWrappings(decoded), newest);
    await this.#loadBalances(decoded, newest);
    await this.#prices.load(this.#options.engine, tokens, newest);
    return {
      firstBlock: blocks[0].number,
      lastBlock: { number: last.number, hash: last.hash, timestamp: last.timestamp },
      rows: mergeRows(decoded.map((block) => this.#priceAndRecord(block))),
      swapsLeftOut: countSwaps(scanned, unidentified),
    };
  }

  /** Drops what the caches hold of blocks above the given one, which is the newest from then on. */
  rollbackTo(block: BlockTime): void {
    for (const cache of this.#caches) cache.rollbackTo(block);
  }

  /** Clears all caches: required after a failed commit. */
  clear(): void {
    for (const cache of this.#caches) cache.clear();
    this.#firstBlock = null;
  }

  /** True when evict() must be called, once everything prepared is committed. */
  isFull(): boolean {
    return this.#caches.some(({ isFull }) => isFull);
  }

  /** Clears full caches. Call it only while everything prepared is committed, because entries are read back from the store. */
  evict(): void {
    for (const cache of this.#caches) if (cache.isFull) cache.clear();
  }

  /** Adds the pools of these blocks to the cache. Returns the ids of singletons' pools that remain unknown. */
  async #discoverPools(scanned: readonly ScannedBlock[], newest: BlockTime | null): Promise<Set<Hex>> {
    const { chain, engine, source } = this.#options;
    const uncached = unknownPools(scanned, this.#pools).map(({ address }) => address);
    await this.#pools.load(engine, chain.name, uncached, newest?.number ?? -1);
    const candidates = unknownPools(scanned, this.#pools);
    this.#pools.addAll(await discoverContractPools(candidates, chain, (calls) => source.call(calls)));
    const inSingletons = candidates.filter(({ family }) => isSingleton(family));
    await this.#discoverSingletonPools(inSingletons);
    const ids = inSingletons.map(({ address }) => address);
    return new Set(ids.filter((id) => this.#pools.get(id) === undefined));
  }

  async #discoverSingletonPools(candidates: readonly Candidate[]): Promise<void> {
    const { chain, source } = this.#options;
    const nowMs = this.#clock.now();
    const due = candidates.filter(({ address }) => this.#pools.startLookup(address, nowMs));
    this.#pools.addAll(await discoverSingletonPools(due, chain, this.#firstBlock ?? 0, source));
  }

  /** Decodes the next block and adds the pools that it creates to the cache. */
  #decode(scanned: ScannedBlock): DecodedChanges {
    const { chain } = this.#options;
    const decoded = decodeBlock(scanned, this.#pools, chain);
    this.#pools.addAll(decoded.foundPools);
    return { decoded, changes: balanceChanges(decoded.transactions, chain.wrappedNative) };
  }

  #hasWrappings(blocks: readonly DecodedChanges[]): boolean {
    return blocks.some(({ decoded }) => decoded.transactions.some(({ wrappings }) => wrappings.length > 0));
  }

  /** Adds the tokens of these blocks, from the store or from their contracts, and those among them that are pools. */
  async #loadTokens(
    traded: ReadonlySet<Hex>,
    hasWrappings: boolean,
    newest: BlockTime | null,
  ): Promise<void> {
    const { chain, engine, source } = this.#options;
    const tokens = hasWrappings ? [...traded, chain.wrappedNative] : traded;
    if (newest !== null) {
      await this.#tokens.load(engine, chain.name, this.#tokens.missing(tokens), newest.number);
    }
    const unknown = this.#tokens.missing(tokens);
    await this.#loadPools(unknown, newest);
    this.#tokens.addAll(readTokens(unknown, await source.call(tokenCalls(unknown))));
  }

  /** Adds the balances that these blocks change, and the wallets among their holders that are pools. */
  async #loadBalances(blocks: readonly DecodedChanges[], newest: BlockTime | null): Promise<void> {
    if (newest === null) return;
    const { chain, engine } = this.#options;
    const holdings = new Set(blocks.flatMap(({ changes }) => [...changes.keys()]));
    await this.#balances.load(engine, chain.name, this.#balances.missing(holdings), newest.number);
    if (this.#isWholeChain) return;
    await this.#loadPools(this.#balances.missing(holdings).map(walletOf), newest);
  }

  /** Adds the stored pools among some addresses. */
  async #loadPools(addresses: readonly Hex[], newest: BlockTime | null): Promise<void> {
    if (newest === null) return;
    const { chain, engine } = this.#options;
    await this.#pools.load(engine, chain.name, this.#pools.missing(addresses), newest.number);
  }

  /** Prices the next block, records it in the caches and returns its rows. */
  #priceAndRecord({ decoded, changes }: DecodedChanges): Rows {
    const tokenAt = (address: Hex): Token => this.#tokens.get(address);
    const priced = this.#prices.price(decoded.block, decoded.transactions, tokenAt);
    const caches = { pools: this.#pools, tokens: this.#tokens, balances: this.#balances };
    const recorded = recordBlock(decoded, changes, caches, this.#isWholeChain);
    return rowsOfBlock(decoded, priced, recorded, tokenAt);
  }

  get #isWholeChain(): boolean {
    return this.#firstBlock !== null && isWholeFrom(this.#firstBlock);
  }
}

/** The tokens that these blocks move or trade, in order of appearance. */
function tokensIn(blocks: readonly DecodedChanges[]): Set<Hex> {
  const tokens = new Set<Hex>();
  for (const { decoded } of blocks) {
    for (const { events } of decoded.transactions) {
      for (const event of events) for (const token of tokensOf(event)) tokens.add(token);
    }
  }
  return tokens;
}
