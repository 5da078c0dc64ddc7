import type { Hex } from "../../lib/hex.ts";
import type { RowOf, Rows } from "../../schema/tables.ts";
import type { TradePrice } from "../../schema/trade-price.ts";
import { KeyedCache } from "../cache/keyed-cache.ts";
import type { Fold } from "../fold.ts";
import { type ExtremeTrades, type PricedTrade, PriceExtremes, withLaterTrades } from "./price-extremes.ts";

/** The all-time prices of tokens across all pools, for one price type. */
export class TokenPrices implements Fold {
  readonly cache: KeyedCache<PriceExtremes>;
  readonly #column: TradePrice;

  constructor(column: TradePrice, maxBytes: number) {
    this.#column = column;
    this.cache = new KeyedCache(maxBytes, ({ bytes }) => bytes);
  }

  /** Makes only one new value per token, because a commit of a backfill has many trades of the same token. */
  extend({ dex_trades = [] }: Rows): void {
    if (!this.cache.isActive) return;
    const later = new Map<Hex, ExtremeTrades>();
    for (const row of dex_trades) {
      const trade = tradeOf(row, this.#column);
      if (trade === null) continue;
      const one = { opened: trade, highest: trade, lowest: trade, closed: trade };
      later.set(row.token_address, withLaterTrades(later.get(row.token_address) ?? null, one));
    }
    for (const [token, trades] of later) {
      const { blockNumber } = trades.closed;
      this.cache.update(token, blockNumber, (known) => new PriceExtremes(withLaterTrades(known, trades)));
    }
  }
}

/** Returns a trade with its price in this column; null if it has no price there. */
function tradeOf(row: RowOf<"dex_trades">, column: TradePrice): PricedTrade | null {
  const price = row[column];
  if (price === null) return null;
  return {
    tradedAt: row.timestamp,
    blockNumber: row.block_number,
    transactionHash: row.transaction_hash,
    price,
    priceEth: row.price_token_eth,
  };
}
