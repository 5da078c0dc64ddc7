import type { CashKind } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Swap } from "../../schema/swap.ts";

/** One side of a swap: a token and its amount in base units, above zero; null if it is unknown. */
export interface Leg {
  token: Hex;
  amount: bigint | null;
}

/** One trade of a swap: the traded leg and the leg that quotes it. */
export interface TradeLegs {
  side: "buy" | "sell";
  traded: Leg;
  quote: Leg;
}

/**
 * Returns the trades of a swap, the bought token's first: one for each leg, but none for cash that is
 * exchanged for a token that is not cash. A swap has trades only if one token entered the pool and the other
 * left it. A swap between the native coin and its wrapped form has none, because they are one token here.
 */
export function tradesOf(swap: Swap, cash: ReadonlyMap<Hex, CashKind>): TradeLegs[] {
  const { token0, token1, amount0, amount1, amountsUnknown } = swap;
  const isKnown = amountsUnknown === null;
  if (token0 === token1) return [];
  if (amount0 === 0n || amount1 === 0n || amount0 > 0n === amount1 > 0n) return [];
  const leg0 = { token: token0, amount: isKnown ? magnitude(amount0) : null };
  const leg1 = { token: token1, amount: isKnown ? magnitude(amount1) : null };
  const [bought, sold] = amount0 < 0n ? [leg0, leg1] : [leg1, leg0];
  const buy: TradeLegs = { side: "buy", traded: bought, quote: sold };
  const sell: TradeLegs = { side: "sell", traded: sold, quote: bought };
  const boughtCash = cash.has(bought.token);
  const soldCash = cash.has(sold.token);
  if (boughtCash === soldCash) return [buy, sell];
  return boughtCash ? [sell] : [buy];
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
