import { DAY_SECONDS } from "../../lib/seconds.ts";
import type { RowOf } from "../../schema/tables.ts";
import type { Commit } from "../../storage/store.ts";
import type { BasePrices } from "./base-prices.ts";
import { blankTrade, TradeRows, type WindowTrade } from "./trade-rows.ts";
import { WindowLoad } from "./window-load.ts";

/** The longest lookback of a price change, plus a day for clocks that differ from the chain's time. */
export const WINDOW_SECONDS = 31 * DAY_SECONDS;

/** A time before any trade. */
const NEVER = -1;

/**
 * The newest trades of a chain: at most 31 days of them, and at most `maxBytes`. Their commits must be
 * contiguous: if one is missed, the window is not ready until it is loaded again.
 */
export class TradeWindow {
  readonly maxBytes: number;
  readonly #basePrices: BasePrices;
  #rows: TradeRows | null = null;
  #load: WindowLoad | null = null;
  /** Sequence number of the newest commit; the next commit must have the number after it. */
  #sequence = 0;
  #isOrdered = true;

  constructor(maxBytes: number, basePrices: BasePrices) {
    this.maxBytes = maxBytes;
    this.#basePrices = basePrices;
    this.startAt(null);
  }

  /** The trades as of the newest commit; null unless they are ready. */
  get rows(): TradeRows | null {
    return this.#rows;
  }

  /** True if loading the window would make it ready. */
  get needsLoad(): boolean {
    return this.#rows === null && this.#load === null && this.#isOrdered;
  }

  /** Starts at a commit without knowing any trade; null: nothing is committed yet. */
  startAt(commit: Commit | null): void {
    this.#lose();
    if (commit === null) this.#rows = new TradeRows(this.maxBytes, NEVER);
    this.#sequence = commit?.sequence ?? 0;
    this.#isOrdered = true;
  }

  extended(commit: Commit, trades: readonly RowOf<"dex_trades">[]): void {
    if (commit.sequence !== this.#sequence + 1) this.startAt(commit);
    this.#sequence = commit.sequence;
    const rows = this.#rows ?? this.#load?.newer;
    if (rows === undefined) return;
    for (const trade of trades) rows.append(tradeOf(trade));
    this.#settle(rows, commit.timestamp);
  }

  rolledBack(commit: Commit): void {
    this.#sequence = commit.sequence;
    this.#load = null;
    this.#rows?.removeAbove(commit.blockNumber);
    // Trades that the window had dropped may also have been rolled back.
    if (commit.timestamp < (this.#rows?.completeAfter ?? NEVER)) this.#lose();
  }

  /**
   * Starts loading the trades up to the newest commit. Trades of later commits are collected meanwhile.
   *
   * @param timestamp time of that commit, unix seconds
   */
  startLoad(timestamp: number): WindowLoad {
    this.#load = new WindowLoad(this.maxBytes, timestamp);
    return this.#load;
  }

  /** True unless a rollback, a missed commit or another load made the load outdated. */
  isLoading(load: WindowLoad): boolean {
    return this.#load === load;
  }

  /** Replaces the window's trades with the loaded ones. */
  adopt(rows: TradeRows): void {
    this.#basePrices.cache.clear();
    this.#load = null;
    this.#rows = rows;
    this.#settle(rows, rows.newestTime);
  }

  /** Discards a load that failed. */
  abandon(load: WindowLoad): void {
    if (this.isLoading(load)) this.#load = null;
  }

  #settle(rows: TradeRows, now: number): void {
    this.#isOrdered &&= rows.isOrdered;
    if (!this.#isOrdered) this.#lose();
    else rows.trim(now - WINDOW_SECONDS, (end) => rows === this.#rows && this.#basePrices.add(rows, end));
  }

  #lose(): void {
    this.#rows = null;
    this.#load = null;
    this.#basePrices.cache.clear();
  }
}

/** Reused for every row that is converted. */
const converted = blankTrade();

function tradeOf(row: RowOf<"dex_trades">): WindowTrade {
  converted.timestamp = row.timestamp;
  converted.blockNumber = row.block_number;
  converted.token = row.token_address;
  converted.pool = row.pool_address;
  converted.tickPrice = row.price_token_usd_tick_1 ?? Number.NaN;
  converted.robustPrice = row.price_token_usd_robust_tick_1 ?? Number.NaN;
  converted.priceEth = row.price_token_eth ?? Number.NaN;
  converted.amountToken = row.amount_token ?? Number.NaN;
  converted.amountUsd = row.amount_usd ?? Number.NaN;
  converted.bytes.write(row.transaction_hash.slice(2), "hex");
  return converted;
}
