import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import type { PastTrade } from "./past-trade.ts";
import { TokenHistory } from "./token-history.ts";

/** How much of the chain's trading memory holds. */
export interface HistoryLimits {
  /** A token takes 3 kB without a trade, 5 with one, 25 with a hundred. */
  tokens: number;
  /** Trades in trailing windows take 32 to 64 bytes each. */
  trades: number;
}

/** Together about a gigabyte at the very most, and more than a day of the busiest chains trades. */
export const DEFAULT_LIMITS: HistoryLimits = { tokens: 30_000, trades: 5_000_000 };

/** The histories in memory, the longest idle first. Any can be dropped, and restored from the store. */
export class TokenHistories {
  readonly #limits: HistoryLimits;
  readonly #isCash: (token: Hex) => boolean;
  readonly #histories = new Map<Hex, TokenHistory>();

  constructor(isCash: (token: Hex) => boolean, limits: HistoryLimits = DEFAULT_LIMITS) {
    this.#isCash = isCash;
    this.#limits = limits;
  }

  /** Those of the tokens that are not in memory. The others count as used now. */
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

  /** Drops the histories that know more than the chain up to a block, its trades or its time. */
  rollback({ number, timestamp }: { number: number; timestamp: number }): void {
    for (const [token, history] of this.#histories) {
      const knowsMore = history.newestBlock > number || history.windows.end > timestamp;
      if (knowsMore) this.#histories.delete(token);
    }
  }

  forget(): void {
    this.#histories.clear();
  }

  /** Drops the longest idle histories until both limits hold; never one with trades above `committedBlock`. */
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
      `the trades of ${token} are not in memory: restore() what missing() names before price() is called`,
    );
  }
}
