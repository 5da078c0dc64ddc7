import type { Hex } from "../../lib/hex.ts";
import type { TradePrice } from "../../schema/trade-price.ts";
import type { Side } from "../webhook.ts";

/** A watched price: a delivery is sent each time it crosses a level. */
export interface PriceWatch {
  /** Identifies this watch's crossings in deliveries. */
  id: string;
  token: Hex;
  priceType: TradePrice;
  /** USD per token. */
  level: number;
  direction: "up" | "down" | "both";
}

/** A price that reached the other side of its level. */
export interface Crossing {
  direction: "up" | "down";
  level: number;
  price: number;
  price_type: TradePrice;
  token_address: Hex;
  /** The trade with the price, a row of dex_trades. */
  trade: Record<string, unknown>;
}

export function sideOf({ level }: Pick<PriceWatch, "level">, price: number): Side {
  return price >= level ? "above" : "below";
}

/**
 * Returns the side of a watched price after a block, and the crossing if the price crossed the level in a
 * watched direction. The price after a block is the price of the block's last trade that has a price of the
 * watched type.
 *
 * @param before side before the block; null if it is not known, so that no crossing can be seen
 * @param trades the block's trades of the token, in chain order
 */
export function watchBlock(
  watch: PriceWatch,
  before: Side | null,
  trades: readonly Record<string, unknown>[],
): { side: Side | null; crossing: Crossing | null } {
  const trade = trades.findLast((row) => typeof row[watch.priceType] === "number");
  if (trade === undefined) return { side: before, crossing: null };
  const price = trade[watch.priceType] as number;
  const side = sideOf(watch, price);
  const direction = side === "above" ? "up" : "down";
  const hasCrossed = before !== null && before !== side;
  if (!hasCrossed || (watch.direction !== "both" && watch.direction !== direction))
    return { side, crossing: null };
  const { level, priceType, token } = watch;
  return { side, crossing: { direction, level, price, price_type: priceType, token_address: token, trade } };
}
