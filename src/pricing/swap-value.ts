import type { CashKind } from "../chains/chain.ts";
import type { Hex } from "../lib/hex.ts";
import { toUnits } from "../lib/units.ts";
import type { Token } from "../schema/swap.ts";
import type { TokenHistory } from "./histories/token-history.ts";
import { bounded, product } from "./math/bounded-value.ts";
import type { Leg, TradeLegs } from "./trades/legs.ts";

/** The prices in force before a swap. */
export interface PricesInForce {
  cash: ReadonlyMap<Hex, CashKind>;
  /** USD per native coin; includes this swap if its pool is a reference pool. */
  reference: number | null;
  historyOf: (token: Hex) => TokenHistory;
  tokenAt: (address: Hex) => Token;
  /** Unix seconds. */
  now: number;
}

/** A trade's value, and whether it comes from its token's own price. */
export interface Value {
  usd: number | null;
  byOwnPrice: boolean;
}

/** Returns a leg's amount in tokens; null if it is unknown or the token has no decimals. */
export function unitsOf({ token, amount }: Leg, tokenAt: (address: Hex) => Token): number | null {
  const { decimals } = tokenAt(token);
  return decimals === null || amount === null ? null : bounded(toUnits(amount, decimals));
}

/**
 * Returns the USD value of a trade. Against cash, it is the value of the cash: a stablecoin is worth 1 USD,
 * and the wrapped native coin is worth the reference price. Between two tokens, it is the value of the leg
 * whose robust price is better supported.
 */
export function tradeValue({ traded, quote }: TradeLegs, prices: PricesInForce): Value {
  const { cash, reference, tokenAt } = prices;
  const kind = cash.get(quote.token);
  if (kind === "stable") return { usd: unitsOf(quote, tokenAt), byOwnPrice: false };
  if (kind === "native") return { usd: product(unitsOf(quote, tokenAt), reference), byOwnPrice: false };
  const own = appraise(traded, prices);
  const other = appraise(quote, prices);
  return isBetterSupported(own, other)
    ? { usd: own.usd, byOwnPrice: true }
    : { usd: other.usd, byOwnPrice: false };
}

/** A leg's value at its token's robust price, and the support of that price. */
interface Appraisal {
  usd: number | null;
  /** Volume of accepted trades of the token against cash in the last 24 hours, USD. */
  support: number;
  /** Record index of the latest accepted trade. */
  newest: number;
}

function appraise(leg: Leg, { historyOf, tokenAt, now }: PricesInForce): Appraisal {
  const { windows, robustPrice, robustIndex } = historyOf(leg.token);
  windows.advance(now);
  const usd = product(unitsOf(leg, tokenAt), robustPrice);
  return { usd, support: windows.day.support(), newest: robustIndex };
}

/**
 * Returns whether the value of one leg is better supported than the value of another. There is never a tie,
 * because the latest accepted trades of two tokens have different record indexes.
 */
function isBetterSupported(a: Appraisal, b: Appraisal): boolean {
  if (a.usd === null || b.usd === null) return a.usd !== null;
  return a.support === b.support ? a.newest > b.newest : a.support > b.support;
}
