import { type Chain, markedSingletonsOf, numberingOf, scopeOf } from "../../chains/chain.ts";
import { type DecodedBlock, decodeBlock, type KnownPools } from "../../decode/blocks/decode-block.ts";
import { type ScannedBlock, scanBlock } from "../../decode/blocks/scan-block.ts";
import { uncachedPools, unknownPools } from "../../decode/discovery/unknown-pools.ts";
import type { BufferAssets } from "../../decode/families/buffers.ts";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import type { Hex } from "../../lib/hex.ts";
import { type Block, type BlockRef, isWholeFrom } from "../../schema/block.ts";
import { isSingleton } from "../../schema/pool-families.ts";
import type { Pool, Token } from "../../schema/swap.ts";
import type { Rows } from "../../schema/tables.ts";
import type { Source } from "../../sources/source.ts";
import type { Batch } from "../../storage/store.ts";
import type { Holding } from "../../storage/stored-balances.ts";
import { balanceChanges } from "../caches/balance-changes.ts";
import { BlockCaches, type CacheOptions } from "../caches/block-caches.ts";
import type { BlockTime } from "../caches/block-scoped-cache.ts";
import { recordBlock, tokensOf } from "../caches/record-block.ts";
import { discoverBufferAssets } from "../discovery/buffer-assets.ts";
import { discoverContractPools } from "../discovery/contract-pools.ts";
import { poolsOfPastLogs, poolsOfPositions } from "../discovery/singleton-pools.ts";
import { mergeRows, rowsOfBlock } from "../rows/rows-of-block.ts";
import { absentTokens, withoutSwapsOf } from "./absent-tokens.ts";

interface PipelineOptions extends CacheOptions {
  source: Pick<Source, "call" | "pastLogs">;
  clock?: Clock;
}

/**
 * The blocks, `firstBlock` to `blockNumber`, that were committed when a batch was prepared. The pipeline
 * reads no rows of later blocks.
 */
export interface Committed {
  firstBlock: number;
  blockNumber: number;
  timestamp: number;
}

export interface PreparedBatch extends Batch {
  /**
   * Number of swaps that have no trade because their pool is part of a singleton and its tokens are not known
   * yet.
   */
  swapsLeftOut: number;
}

/** A decoded block and the net change of each holding. */
interface DecodedChanges extends DecodedBlock {
  changes: ReadonlyMap<Holding, bigint>;
}

/**
 * Turns blocks into rows: scans their logs, discovers their pools and tokens, decodes and prices them. Keeps
 * nothing in memory except caches of rows. While everything prepared is committed, clearing the caches
 * changes no row.
 */
export class BlockPipeline {
  readonly #options: PipelineOptions;
  readonly #clock: Clock;
  readonly #caches: BlockCaches;
  /** First block of the index; null until a block is prepared. */
  #firstBlock: number | null = null;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#caches = new BlockCaches(options);
  }

  /** Returns the rows of consecutive blocks, which must follow the blocks prepared before. */
  async prepare(blocks: readonly [Block, ...Block[]], committed: Committed | null): Promise<PreparedBatch> {
    const { chain } = this.#options;
    const caches = this.#caches;
    const last = blocks.at(-1) ?? blocks[0];
    const newest = committed && { number: committed.blockNumber, timestamp: committed.timestamp };
    this.#firstBlock = committed?.firstBlock ?? this.#firstBlock ?? blocks[0].number;
    caches.advanceTo(last.number, newest);
    const scanned = blocks.map((block) => scanBlock(block, chain));
    await this.#discoverPools(scanned, newest);
    const decoded = await this.#loadTokens(await this.#decode(scanned), newest);
    await caches.loadBalances(holdingsIn(decoded), this.#firstBlock, newest);
    await caches.loadPrices(tokensIn(decoded), newest);
    return {
      firstBlock: blocks[0].number,
      lastBlock: { number: last.number, hash: last.hash, timestamp: last.timestamp },
      rows: mergeRows(decoded.map((block) => this.#priceAndRecord(block))),
      swapsLeftOut: decoded.reduce((sum, { leftOut }) => sum + totalOf(leftOut), 0),
    };
  }

  /** Drops cached entries from blocks above the given one, which is now the newest. */
  rollbackTo(block: BlockTime): void {
    this.#caches.rollbackTo(block);
  }

  /** Clears all caches; required after a failed commit. */
  clear(): void {
    this.#caches.clear();
    this.#firstBlock = null;
  }

  /** Must be called after stored balances were changed, while everything prepared is committed. */
  forgetBalances(): void {
    this.#caches.balances.clear();
  }

  /** Returns true if evict() must be called as soon as everything prepared is committed. */
  isFull(): boolean {
    return this.#caches.isFull;
  }

  /**
   * Clears full caches. Must be called only while everything prepared is committed: entries are read back
   * from the store.
   */
  evict(): void {
    this.#caches.clearFull();
  }

  /** Adds the pools and buffers of these blocks to the caches, if the store or contract calls reveal them. */
  async #discoverPools(scanned: readonly ScannedBlock[], newest: BlockTime | null): Promise<void> {
    const { chain, source } = this.#options;
    const { pools, buffers } = this.#caches;
    await this.#caches.loadPools(uncachedPools(scanned, pools), newest);
    const candidates = unknownPools(scanned, pools);
    const call: Source["call"] = (calls) => source.call(calls);
    pools.addAll(await discoverContractPools(candidates, chain, call, this.#firstBlock ?? 0));
    const nowMs = this.#clock.monotonic();
    const due = candidates.filter(
      ({ family, address }) => isSingleton(family) && pools.startLookup(address, nowMs),
    );
    pools.addAll(await poolsOfPositions(due, chain, this.#firstBlock ?? 0, call));
    buffers.addAll(await discoverBufferAssets(scanned, buffers, chain, call));
  }

  /**
   * Decodes the next blocks and adds the pools that they create, or prove to be genuine, to the cache. Past
   * logs are requested only for pools that are still unknown after that; if the logs reveal a pool, the
   * blocks are decoded again.
   */
  async #decode(scanned: readonly ScannedBlock[]): Promise<DecodedChanges[]> {
    const { chain, source } = this.#options;
    const { pools, buffers } = this.#caches;
    let decoded = decodeBlocks(scanned, pools, chain, buffers);
    const unknown = [...new Set(decoded.flatMap(({ leftOut }) => [...leftOut.keys()]))];
    const pastLogs: Source["pastLogs"] = (filter) => source.pastLogs(filter);
    const revealed = await poolsOfPastLogs(unknown, chain, this.#firstBlock ?? 0, pastLogs);
    pools.addAll(revealed);
    if (revealed.size > 0) decoded = decodeBlocks(scanned, pools, chain, buffers);
    for (const { foundPools } of decoded) pools.addAll(foundPools);
    return decoded.map((block) => ({
      ...block,
      changes: balanceChanges(block.transactions, chain.wrappedNative),
    }));
  }

  /**
   * Loads the tokens of the next blocks. Returns the blocks without swaps of tokens that do not exist yet. A
   * token that is left out in one block is called again in the state of the next block in which it occurs, so
   * the result does not depend on the batches.
   */
  async #loadTokens(
    blocks: readonly DecodedChanges[],
    newest: BlockTime | null,
  ): Promise<readonly DecodedChanges[]> {
    const { chain, source } = this.#options;
    const { tokens } = this.#caches;
    for (let decoded = blocks; ; ) {
      const first = firstBlocksOfTokens(decoded, chain.wrappedNative);
      const silent = await this.#caches.loadTokens(first, (calls) => source.call(calls), newest);
      const inBlocks = silent.map(({ address }) => [address, first.get(address)?.number ?? 0] as const);
      const absent = absentTokens(decoded, new Map(inBlocks));
      tokens.addAll(silent.filter(({ address }) => !absent.has(address)));
      if (absent.size === 0) return decoded;
      decoded = withoutSwapsOf(absent, decoded);
    }
  }

  /** Prices the next block, records it in the caches and returns its rows. */
  #priceAndRecord(decoded: DecodedChanges): Rows {
    const caches = this.#caches;
    const tokenAt = (address: Hex): Token => caches.tokens.get(address);
    const priced = caches.prices.price(decoded.block, decoded.transactions, tokenAt);
    const recorded = recordBlock(decoded, decoded.changes, caches, this.#isWholeChain);
    const { chain } = this.#options;
    const [scope, numbering, singletons] = [scopeOf(chain), numberingOf(chain), markedSingletonsOf(chain)];
    return rowsOfBlock(decoded, priced, recorded, { tokenAt, scope, numbering, singletons });
  }

  get #isWholeChain(): boolean {
    return this.#firstBlock !== null && isWholeFrom(this.#firstBlock);
  }
}

/**
 * Decodes consecutive blocks. A pool that one of them creates, or proves to be genuine, is known from that
 * block on.
 */
function decodeBlocks(
  scanned: readonly ScannedBlock[],
  known: KnownPools,
  chain: Chain,
  buffers: BufferAssets,
): DecodedBlock[] {
  const found = new Map<Hex, Pool>();
  const pools: KnownPools = { get: (address) => found.get(address) ?? known.get(address) };
  return scanned.map((block) => {
    const decoded = decodeBlock(block, pools, chain, buffers);
    for (const [address, pool] of decoded.foundPools) found.set(address, pool);
    return decoded;
  });
}

function totalOf(counts: ReadonlyMap<Hex, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Returns the tokens that these blocks move or trade, in order of appearance. */
function tokensIn(blocks: readonly DecodedBlock[]): Set<Hex> {
  return new Set(blocks.flatMap((block) => [...tokensOfBlock(block)]));
}

/** Maps each token that these blocks move, trade or wrap to the first block that does so. */
function firstBlocksOfTokens(blocks: readonly DecodedBlock[], wrappedNative: Hex): Map<Hex, BlockRef> {
  const first = new Map<Hex, BlockRef>();
  for (const decoded of blocks) {
    const { number, hash } = decoded.block;
    const hasWrappings = decoded.transactions.some(({ wrappings }) => wrappings.length > 0);
    const tokens = [...tokensOfBlock(decoded), ...(hasWrappings ? [wrappedNative] : [])];
    for (const token of tokens) if (!first.has(token)) first.set(token, { number, hash });
  }
  return first;
}

function* tokensOfBlock({ transactions }: DecodedBlock): Iterable<Hex> {
  for (const { events } of transactions) for (const event of events) yield* tokensOf(event);
}

/** Returns the holdings that these blocks change. */
function holdingsIn(blocks: readonly DecodedChanges[]): Set<Holding> {
  const holdings = new Set<Holding>();
  for (const { changes } of blocks) for (const holding of changes.keys()) holdings.add(holding);
  return holdings;
}
