import type { Hex } from "../lib/hex.ts";
import type { TradePrice } from "../schema/trade-price.ts";
import type { Commit } from "../storage/store.ts";
import type { KeyedCache } from "./cache/keyed-cache.ts";
import { ALL_BLOCKS, type BlockProofs } from "./counts/block-proofs.ts";
import { ALL_TABLES, type RowCounts } from "./counts/row-counts.ts";
import type { PartName, PartValues } from "./parts.ts";
import type { PoolState } from "./pools/pool-state.ts";
import { type RecordGroup, recordsKey } from "./records/newest-records.ts";
import type { RecordList } from "./records/record-list.ts";
import type { ServingState } from "./serving-state.ts";
import type { PriceExtremes } from "./tokens/price-extremes.ts";
import type { TokenFacts } from "./tokens/token-facts.ts";
import type { WalletPositions } from "./wallets/wallet-positions.ts";
import type { TradeRows } from "./window/trade-rows.ts";

/** The keys of each part that a read needed but the state does not know. */
export type Misses = ReadonlyMap<PartName, ReadonlySet<string>>;

/**
 * Maximum number of steps through the newest trades for one answer. This many steps take about 20 ms; for
 * more, the engine is faster.
 */
const MAX_STEPS = 1_000_000;

type ExtraValues = ReadonlyMap<PartName, ReadonlyMap<string, unknown>>;

/**
 * One read of the serving state. It must be synchronous, so that everything in it is as of one commit. An
 * unknown value is returned as if it were absent, but is recorded as a miss. An answer with misses must be
 * discarded.
 */
export class MemoryRead {
  readonly commit: Commit;
  readonly #state: ServingState;
  readonly #extra: ExtraValues;
  readonly #misses = new Map<PartName, Set<string>>();
  #isImpossible = false;
  #needsWindow = false;
  #steps = 0;

  /** @param extra values, as of the same commit, that do not fit in the state */
  constructor(state: ServingState, commit: Commit, extra: ExtraValues = new Map()) {
    this.#state = state;
    this.commit = commit;
    this.#extra = extra;
  }

  get misses(): Misses {
    return this.#misses;
  }

  get isComplete(): boolean {
    return this.#misses.size === 0 && !this.#isImpossible;
  }

  /** True if the state cannot answer the question, whatever it reads from the store. */
  get isImpossible(): boolean {
    return this.#isImpossible;
  }

  /** Records that the question needs something that the state never holds. */
  leaveToEngine(): void {
    this.#isImpossible = true;
  }

  /** Returns the all-time prices of a token; null if it never had a price of this type. */
  prices(token: Hex, priceType: TradePrice): PriceExtremes | null {
    return this.get(partOfPrices(priceType), token);
  }

  /** Returns `prices` if they are known, otherwise undefined. Does not record a miss. */
  peekPrices(token: Hex, priceType: TradePrice): PriceExtremes | null | undefined {
    return this.peek(partOfPrices(priceType), token);
  }

  /** Returns the latest price of a token; null if it never had a price of this type. */
  price(token: Hex, priceType: TradePrice): number | null {
    return this.prices(token, priceType)?.closed.price ?? null;
  }

  /** Returns the positions of a wallet; null if it never traded. The object may change after the read. */
  positions(wallet: Hex): WalletPositions | null {
    return this.get("wallets", wallet);
  }

  /** Returns the newest state of a pool; null if the pool is not stored. */
  pool(pool: Hex): PoolState | null {
    return this.get("pools", pool);
  }

  /** Returns the number of rows of each table. */
  rowCounts(): RowCounts {
    return this.get("rowCounts", ALL_TABLES) ?? {};
  }

  /** Returns the ranges of blocks with the same proof and origin. */
  blockProofs(): BlockProofs {
    return this.get("blockProofs", ALL_BLOCKS) ?? [];
  }

  facts(token: Hex): TokenFacts | null {
    return this.get("tokenFacts", token);
  }

  /**
   * Returns the newest records with this value in the column of the groups. They come from the first group
   * whose list is in memory; null if there are none.
   *
   * @param groups if none of them has the list, a miss is recorded for the first one
   */
  newestRecords(groups: readonly RecordGroup[], value: string): RecordList | null {
    const keys = groups.map((group) => recordsKey(group, value));
    const known = keys.find((key) => this.peek("newestRecords", key) !== undefined);
    return this.get("newestRecords", known ?? keys[0] ?? "");
  }

  /** The newest trades; null while they are not ready, in which case the engine answers the question. */
  get trades(): TradeRows | null {
    const { rows } = this.#state.window;
    if (rows !== null) return rows;
    this.#needsWindow = true;
    this.leaveToEngine();
    return null;
  }

  /** True if the read needed the newest trades before they were ready. */
  get needsWindow(): boolean {
    return this.#needsWindow;
  }

  /**
   * Counts a step through the newest trades. Returns false after too many steps, because the engine must then
   * answer.
   */
  step(): boolean {
    if (++this.#steps > MAX_STEPS) this.leaveToEngine();
    return !this.#isImpossible;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Returns the value of a key if it is known. Does not record a miss. */
  peek<N extends PartName>(part: N, key: string): PartValues[N] | null | undefined {
    const known = this.#state.parts[part].get(key) as PartValues[N] | null | undefined;
    return known === undefined ? (this.#extra.get(part)?.get(key) as PartValues[N] | undefined) : known;
  }

  /** Stores a value that was computed from other values. */
  keep<N extends PartName>(part: N, key: string, value: PartValues[N]): void {
    const cache = this.#state.parts[part] as KeyedCache<PartValues[N]>;
    cache.set(key, value, this.commit.blockNumber);
  }

  /** Makes a key unknown because its value cannot be brought up to date, and records the miss. */
  refill(part: PartName, key: string): void {
    this.#state.parts[part].drop(key);
    this.#miss(part, key);
  }

  /** Returns the value of a key; null if there is none, or if it is unknown, which is recorded as a miss. */
  get<N extends PartName>(part: N, key: string): PartValues[N] | null {
    const value = this.peek(part, key);
    if (value === undefined) this.#miss(part, key);
    return value ?? null;
  }

  #miss(part: PartName, key: string): void {
    const missed = this.#misses.get(part);
    if (missed === undefined) this.#misses.set(part, new Set([key]));
    else missed.add(key);
  }
}

function partOfPrices(priceType: TradePrice): "tickPrices" | "robustPrices" {
  return priceType === "price_token_usd_tick_1" ? "tickPrices" : "robustPrices";
}
