import type { Hex } from "../../lib/hex.ts";
import type { TradePrice } from "../../schema/trade-price.ts";
import type { MemoryRead } from "../../serving/memory-read.ts";
import { basePriceKey } from "../../serving/window/base-prices.ts";
import { NO_TRADE } from "../../serving/window/trade-rows.ts";
import type { PriceChange, PriceChangeQuery } from "../prices/price-changes.ts";

/**
 * Like `readPriceChanges`, but for one token, and from memory; null if there is no price at the end of the
 * period.
 */
export function priceChangeIn(
  memory: MemoryRead,
  token: Hex,
  { priceType, from, until }: Omit<PriceChangeQuery, "tokens">,
): PriceChange | null {
  const close = priceInForceIn(memory, token, priceType, until);
  if (close === null) return null;
  const first = memory.prices(token, priceType)?.opened.price ?? close;
  return { open: priceInForceIn(memory, token, priceType, from) ?? first, close };
}

/**
 * Returns the price of a token's last priced trade at or before a time, USD per token; null if there is none.
 * If the first and the newest price do not determine it, the time must be within the window of newest trades.
 *
 * @param at unix seconds
 */
export function priceInForceIn(
  memory: MemoryRead,
  token: Hex,
  priceType: TradePrice,
  at: number,
): number | null {
  const prices = memory.prices(token, priceType);
  if (prices === null || prices.opened.tradedAt > at) return null;
  if (prices.closed.tradedAt <= at) return prices.closed.price;
  const rows = memory.trades;
  if (rows === null) return null;
  if (at < rows.completeAfter) {
    memory.leaveToEngine();
    return null;
  }
  let trade = rows.newestOf(token, at);
  while (trade !== NO_TRADE && memory.step()) {
    const price = rows.priceOf(trade, priceType);
    if (!Number.isNaN(price)) return price;
    trade = rows.previous(trade);
  }
  return memory.get("basePrices", basePriceKey(token, priceType));
}
