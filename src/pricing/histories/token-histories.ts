import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import type { PastTrade } from "../trades/past-trade.ts";
import { TokenHistory } from "./token-history.ts";

/** Limits on the histories in memory. */
export interface HistoryLimits {
  /** Maximum number of tokens. A token takes 3 kB without a trade, 5 kB with one, 25 kB with a hundred. */
  tokens: number;
  /** Maximum number of trades in trailing windows. Each takes 32 to 64 bytes. */
  trades: number;
}

/** At most about a gigabyte in total; holds more than a day of trades on the busiest chains. */
export const DEFAULT_LIMITS: HistoryLimits = { tokens: 30_000, trades: 5_000_000 };

/** The histories in memory, least recently used first. Any can be dropped and restored from the store. */
export class TokenHistories {
  readonly #limits: HistoryLimits;
  readonly #isCash: (token: Hex) => boolean;
  readonly #histories = new Map<Hex, TokenHistory>();

  constructor(isCash: (token: Hex) => boolean, limits: HistoryLimits = DEFAULT_LIMITS) {
    this.#isCash = isCash;
    this.#limits = limits;
  }

  /**
   * Returns the tokens whose history is not in memory. Marks the histories of the other tokens as used now.
   */
  missing(tokens: Iterable<Hex>): Hex[] {
    return [...new Set(tokens)].filter((token) => {
      const history = this.#histories.get(token);
      if (history === undefined) return true;
      this.#histories.delete(token);
      this.#histories.set(token, history);
      return false;
    });
  }

  restore(token: Hex, trades: readonly PastTrade[], asOf: number): void {
    const history = new TokenHistory();
    for (const trade of trades) history.record(trade, this.#isCash(trade.quote));
    history.windows.advance(asOf);
    this.#histories.set(token, history);
  }

  get(token: Hex): TokenHistory {
    const history = this.#histories.get(token);
    if (history === undefined) throw new HistoryNotRestored(token);
    return history;
  }

  /** Drops the histories with trades above a block, and those whose windows end after the block's time. */
  rollbackTo({ number, timestamp }: { number: number; timestamp: number }): void {
    for (const [token, history] of this.#histories) {
      const isNewer = history.newestBlock > number || history.windows.end > timestamp;
      if (isNewer) this.#histories.delete(token);
    }
  }

  clear(): void {
    this.#histories.clear();
  }

  /**
   * Drops the least recently used histories until both limits hold; never one with trades above
   * `committedBlock`.
   */
  evict(committedBlock: number): void {
    let tokens = this.#histories.size;
    let trades = 0;
    for (const history of this.#histories.values()) trades += history.windows.size;
    for (const [token, history] of this.#histories) {
      if (tokens <= this.#limits.tokens && trades <= this.#limits.trades) return;
      if (history.newestBlock > committedBlock) continue;
      this.#histories.delete(token);
      tokens -= 1;
      trades -= history.windows.size;
    }
  }
}

class HistoryNotRestored extends BaseError {
  constructor(token: Hex) {
    super(
      "internal",
      `the trades of ${token} are not in memory: restore() the tokens that missing() returns before price()`,
    );
  }
}
