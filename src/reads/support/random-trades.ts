import type { TradePrice } from "../../schema/trade-price.ts";
import { hexOf, type Trade } from "./market.ts";

/** An hour before the start of a month. */
export const START = 1_706_742_000;
export const SPAN = 7200;
export const TOKENS = [hexOf(0xa1), hexOf(0xa2)] as const;
export const POOLS = [hexOf(0xb1), hexOf(0xb2), hexOf(0xb3, 32)] as const;

/** Returns random trades that are the same in every run. With few price steps, many prices are equal. */
export function randomTrades(count: number, priceSteps = 1000): Trade[] {
  let state = 42;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const trades = Array.from({ length: count }, () => {
    const price = random(10) === 0 ? null : 1 + random(priceSteps) / 8;
    return {
      token: TOKENS[random(2)] ?? TOKENS[0],
      at: START + 1000 + random(SPAN) * (random(3) === 0 ? 1 : 0.25),
      pool: POOLS[random(3)] ?? POOLS[0],
      price,
      robust: random(4) === 0 ? null : price,
      usd: random(10) === 0 ? null : random(1000) / 4,
    };
  });
  return trades.map((trade) => ({ ...trade, at: Math.floor(trade.at) })).sort((a, b) => a.at - b.at);
}

export function priceOf({ price, robust = price }: Trade, priceType: TradePrice): number | null {
  return priceType === "price_token_usd_tick_1" ? price : robust;
}
