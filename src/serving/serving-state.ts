import type { Hex } from "../lib/hex.ts";
import { EVERYTHING, type StoredScope } from "../schema/scope.ts";
import { type Rows, TABLE_NAMES, type TableName } from "../schema/tables.ts";
import type { Commit, CommitListener } from "../storage/store.ts";
import { KeyedCache } from "./cache/keyed-cache.ts";
import { chunkBytes, firstTradeBytes } from "./candles/candle-chunk.ts";
import { ProofRanges } from "./counts/block-proofs.ts";
import { RowCounter } from "./counts/row-counts.ts";
import type { Fold } from "./fold.ts";
import { NewestLists } from "./lists/newest-lists.ts";
import { type Parts, partEntries } from "./parts.ts";
import { Pools } from "./pools/pools.ts";
import { NewestRecords } from "./records/newest-records.ts";
import { servingLimits } from "./serving-limits.ts";
import { KnownTokens } from "./tokens/token-facts.ts";
import { TokenPrices } from "./tokens/token-prices.ts";
import { Wallets } from "./wallets/wallets.ts";
import { BasePrices } from "./window/base-prices.ts";
import { TradeWindow } from "./window/trade-window.ts";

/** Tables from whose rows the state is built. Copies are left out, because they repeat other tables. */
export const SERVED_TABLES: readonly TableName[] = TABLE_NAMES.filter((name) => name !== "wallet_trades");

/**
 * Maximum time for which the state may lack commits. A state that may be older is not used, because clients
 * would take an old answer for the newest.
 */
export const MAX_AGE_MS = 2_000;

/**
 * The data that small questions about one chain need, held in memory as of one commit and kept current from
 * committed rows. It is a cache: parts of it may be unknown at any time, and all of it can be dropped and
 * filled from the store again.
 */
export class ServingState implements CommitListener {
  readonly parts: Parts;
  /** The newest trades. */
  readonly window: TradeWindow;
  /**
   * Numbers of answers: from memory immediately (`memory`), from memory after reads of the store (`filled`),
   * and from the engine alone (`engine`). `mismatches` and `failedLoads` are numbers of faults.
   */
  readonly counters = { memory: 0, filled: 0, engine: 0, mismatches: 0, failedLoads: 0 };
  readonly #folds: readonly Fold[];
  /** Time that the last load took; null before the first load. */
  loadSeconds: number | null = null;
  readonly #followers: CommitListener[] = [];
  #commit: Commit | null = null;
  #ageMs: () => number = () => 0;
  #loadWindow: () => void = () => {};

  /**
   * @param bytes maximum memory of the state, approximately
   * @param scope the stored scope of the chain
   * @param vaults the Vaults of Balancer V3
   */
  constructor(bytes: number, scope: StoredScope = EVERYTHING, vaults: readonly Hex[] = []) {
    const limits = servingLimits(bytes);
    const tickPrices = new TokenPrices("price_token_usd_tick_1", limits.pricesBytes / 2);
    const robustPrices = new TokenPrices("price_token_usd_robust_tick_1", limits.pricesBytes / 2);
    const tokens = new KnownTokens(limits.factsBytes);
    const wallets = new Wallets(limits.walletsBytes);
    const newestRecords = new NewestRecords(limits.recordsBytes, scope);
    const pools = new Pools(limits.poolsBytes, vaults);
    const rowCounter = new RowCounter(limits.countsBytes, scope);
    const proofs = new ProofRanges(limits.countsBytes);
    const lists = new NewestLists(limits.listsBytes);
    const basePrices = new BasePrices(limits.basePricesBytes);
    this.#folds = [
      tickPrices,
      robustPrices,
      tokens,
      wallets,
      newestRecords,
      pools,
      rowCounter,
      proofs,
      lists,
    ];
    this.window = new TradeWindow(limits.windowBytes, basePrices);
    this.parts = {
      tickPrices: tickPrices.cache,
      robustPrices: robustPrices.cache,
      tokenFacts: tokens.cache,
      wallets: wallets.cache,
      newestRecords: newestRecords.cache,
      pools: pools.cache,
      rowCounts: rowCounter.cache,
      blockProofs: proofs.cache,
      basePrices: basePrices.cache,
      candles: new KeyedCache(limits.candlesBytes, chunkBytes),
      firstTrades: new KeyedCache(limits.firstTradesBytes, firstTradeBytes),
      lists: lists.cache,
    };
  }

  /** The commit as of which everything known is valid; null if the state must not be used. */
  get commit(): Commit | null {
    return this.#ageMs() <= MAX_AGE_MS ? this.#commit : null;
  }

  /** Like `commit`, but not null if the state is too old to be used. */
  get position(): Commit | null {
    return this.#commit;
  }

  /**
   * Time since the state was last known to include the newest commit; 0 in the process that writes the chain.
   */
  get ageMs(): number {
    return this.#ageMs();
  }

  /**
   * Sets how the age is measured. Needed for a chain that another process writes, because the state can lag
   * behind it.
   */
  measureAge(ageMs: () => number): void {
    this.#ageMs = ageMs;
  }

  /** @param load called when a question needs the newest trades and they are not ready */
  loadWindowBy(load: () => void): void {
    this.#loadWindow = load;
  }

  /** Requests that the newest trades be loaded in the background, for later questions. */
  requestWindow(): void {
    this.#loadWindow();
  }

  /** Reports every further commit to a listener, once the state includes it. */
  follow(listener: CommitListener): void {
    this.#followers.push(listener);
  }

  /** Starts at a commit, with everything unknown. */
  startAt(commit: Commit | null): void {
    for (const [, cache] of partEntries(this.parts)) cache.clear();
    this.window.startAt(commit);
    this.#commit = commit;
    for (const follower of this.#followers) follower.replaced(commit);
  }

  extended(commit: Commit, rows: Rows): void {
    for (const fold of this.#folds) fold.extend(rows, commit);
    this.window.extended(commit, rows.dex_trades ?? []);
    this.#commit = commit;
    for (const follower of this.#followers) follower.extended(commit, rows);
  }

  rolledBack(commit: Commit): void {
    for (const [, cache] of partEntries(this.parts)) cache.rollbackTo(commit.blockNumber);
    this.window.rolledBack(commit);
    this.#commit = commit;
    for (const follower of this.#followers) follower.rolledBack(commit);
  }

  /** Drops everything and starts at the commit. */
  replaced(commit: Commit | null): void {
    this.startAt(commit);
  }
}
