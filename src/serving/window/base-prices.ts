import type { Hex } from "../../lib/hex.ts";
import { TRADE_PRICES, type TradePrice } from "../../schema/trade-price.ts";
import { KeyedCache } from "../cache/keyed-cache.ts";
import type { TradeRows } from "./trade-rows.ts";

const PRICE_BYTES = 16;

/** The price in force at the start of the window of newest trades, by token and price type. */
export class BasePrices {
  readonly cache: KeyedCache<number>;

  constructor(maxBytes: number) {
    this.cache = new KeyedCache(maxBytes, () => PRICE_BYTES);
  }

  /**
   * Updates the prices with the trades before `end`, which the window is about to drop, and with any later
   * trades in the same second as the last of these.
   */
  add(rows: TradeRows, end: number): void {
    if (!this.cache.isActive) return;
    const time = rows.timeOf(end - 1);
    let newest = end - 1;
    while (newest + 1 < rows.next && rows.timeOf(newest + 1) === time) newest++;
    for (const type of TRADE_PRICES) {
      const seen = new Set<Hex>();
      for (let trade = newest; trade >= rows.first; trade--) {
        const price = rows.priceOf(trade, type);
        if (Number.isNaN(price)) continue;
        const token = rows.tokenOf(trade);
        if (seen.has(token)) continue;
        seen.add(token);
        this.cache.update(basePriceKey(token, type), rows.blockOf(trade), () => price);
      }
    }
  }
}

export function basePriceKey(token: Hex, type: TradePrice): string {
  return `${token} ${type}`;
}
