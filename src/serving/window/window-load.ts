import { blankTrade, TradeRows, type WindowTrade } from "./trade-rows.ts";

/** Number of trades moved without a pause, which takes a few milliseconds. */
const MOVED_AT_ONCE = 10_000;

/** The trades up to a commit while they are being read from the store, and the trades of later commits. */
export class WindowLoad {
  /** The trades of commits after the one that is being read. */
  readonly newer: TradeRows;
  readonly #maxBytes: number;
  #older: TradeRows;

  /** @param timestamp time of the commit that is read, unix seconds */
  constructor(maxBytes: number, timestamp: number) {
    this.#maxBytes = maxBytes;
    this.newer = new TradeRows(maxBytes, timestamp);
    this.#older = new TradeRows(maxBytes, timestamp);
  }

  /** Sets the time from which trades are loaded, unix seconds. */
  begin(start: number): void {
    this.#older = new TradeRows(this.#maxBytes, start - 1);
  }

  /** Adds the next trade in chain order. */
  add(trade: WindowTrade): void {
    this.#older.append(trade);
  }

  /**
   * Appends the trades of newer commits to the loaded trades, `MOVED_AT_ONCE` at a time, and returns them
   * all.
   */
  *joined(): Generator<void, TradeRows> {
    const trade = blankTrade();
    for (let next = 0; next < this.newer.next; next++) {
      // If some newer trades have already been dropped, the remaining newer trades alone fill the window.
      if (this.newer.first > 0) return this.newer;
      this.newer.read(next, trade);
      this.#older.append(trade);
      if (next % MOVED_AT_ONCE === MOVED_AT_ONCE - 1) yield;
    }
    return this.#older;
  }
}
