import type { Hex } from "../../lib/hex.ts";
import type { TradePrice } from "../../schema/trade-price.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { readSummary } from "./price-summary.ts";
import { readPricesInForce, TOKEN_PRICE, type TokenPrice } from "./prices-in-force.ts";

/** Prices of a token at both ends of a period, USD per token. */
export interface PriceChange {
  open: number;
  close: number;
}

export interface PriceChangeQuery {
  tokens: readonly Hex[];
  priceType: TradePrice;
  /** Start and end of the period, unix seconds. */
  from: number;
  until: number;
}

/**
 * Reads the prices at both ends of a period, for each token with a price at the period's end. If a token had
 * no price before the period, its first price in the period is used.
 */
export async function readPriceChanges(
  snapshot: Snapshot,
  { tokens, priceType, from, until }: PriceChangeQuery,
): Promise<Map<Hex, PriceChange>> {
  const [closes, opens] = await Promise.all([
    readPricesInForce(snapshot, tokens, priceType, until),
    readPricesInForce(snapshot, tokens, priceType, from),
  ]);
  const unopened = [...closes.keys()].filter((token) => !opens.has(token));
  const firsts = await readFirstPrices(snapshot, unopened, priceType);
  return new Map(
    [...closes].flatMap(([token, close]) => {
      const open = opens.get(token) ?? firsts.get(token);
      return open === undefined ? [] : [[token, { open, close }]];
    }),
  );
}

/**
 * Reads the first price ever of each token; for a token without a price before the period, this is its first
 * price within the period.
 */
async function readFirstPrices(
  snapshot: Snapshot,
  tokens: readonly Hex[],
  priceType: TradePrice,
): Promise<Map<Hex, number>> {
  if (tokens.length === 0) return new Map();
  const query = { tokens, priceType, extremes: ["opened"], select: TOKEN_PRICE } as const;
  const firsts = await readSummary<TokenPrice>(snapshot, query);
  return new Map(firsts.map(({ tokenAddress, price }) => [tokenAddress, price]));
}
