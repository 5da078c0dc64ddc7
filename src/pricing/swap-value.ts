import type { CashKind } from "../chains/chain.ts";
import type { Hex } from "../lib/hex.ts";
import { toUnits } from "../lib/units.ts";
import type { Token } from "../schema/swap.ts";
import { bounded, product } from "./bounded-value.ts";
import type { TokenHistory } from "./histories/token-history.ts";
import type { Leg, TradeLegs } from "./legs.ts";

/** The prices in force before a swap. */
export interface PricesInForce {
  cash: ReadonlyMap<Hex, CashKind>;
  /** USD per native coin; of this swap already, if it is a reference pool's. */
  reference: number | null;
  historyOf: (token: Hex) => TokenHistory;
  tokens: (address: Hex) => Token;
  /** Unix seconds. */
  now: number;
}

/** A trade's value, and whether its token's own price gave it. */
export interface Value {
  usd: number | null;
  byOwnPrice: boolean;
}

/** A leg's amount in tokens; null where the token has no decimals. */
export function unitsOf({ token, amount }: Leg, tokens: (address: Hex) => Token): number | null {
  const { decimals } = tokens(token);
  return decimals === null ? null : bounded(toUnits(amount, decimals));
}

/**
 * USD value of a trade: that of the cash it is against (a stable coin is 1 USD, the wrapped native coin the
 * reference price). Of two tokens, that of the leg whose robust price is better supported.
 */
export function tradeValue({ traded, quote }: TradeLegs, prices: PricesInForce): Value {
  const { cash, reference, tokens } = prices;
  const kind = cash.get(quote.token);
  if (kind === "stable") return { usd: unitsOf(quote, tokens), byOwnPrice: false };
  if (kind === "native") return { usd: product(unitsOf(quote, tokens), reference), byOwnPrice: false };
  const own = appraise(traded, prices);
  const other = appraise(quote, prices);
  return isBetterSupported(own, other)
    ? { usd: own.usd, byOwnPrice: true }
    : { usd: other.usd, byOwnPrice: false };
}

/** A leg's value at its token's robust price, and what speaks for that price. */
interface Appraisal {
  usd: number | null;
  /** USD that accepted trades of the last 24 hours exchanged for cash. */
  support: number;
  /** Place of the latest accepted trade. */
  newest: number;
}

function appraise(leg: Leg, { historyOf, tokens, now }: PricesInForce): Appraisal {
  const { windows, robustPrice, robustIndex } = historyOf(leg.token);
  windows.advance(now);
  const usd = product(unitsOf(leg, tokens), robustPrice);
  return { usd, support: windows.day.support(), newest: robustIndex };
}

/** Two tokens never tie: their latest accepted trades have different places. */
function isBetterSupported(a: Appraisal, b: Appraisal): boolean {
  if (a.usd === null || b.usd === null) return a.usd !== null;
  return a.support === b.support ? a.newest > b.newest : a.support > b.support;
}
