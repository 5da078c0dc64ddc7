import { WEIGHTED_POOL, type WeightedPair } from "./shared-pools.ts";

/**
 * Returns the price in a weighted pool, in base units of token1 per base unit of token0. It is the ratio of
 * the balances per weight (Balancer whitepaper, formula 2).
 */
export function weightedPrice(pair: WeightedPair, [reserve0, reserve1]: [bigint, bigint]): number {
  const [weight0, weight1] = weightsOf(pair);
  return Number(reserve1) / weight1 / (Number(reserve0) / weight0);
}

/**
 * Returns the amount to sell that brings the price to `wanted`. The amount is of token0, or of token1 if the
 * price must rise. A swap does not change the product of the balances, each to the power of its weight
 * (formula 3). The function ignores the small part of the fee that stays in the pool.
 */
export function amountToPrice(pair: WeightedPair, reserves: [bigint, bigint], wanted: number): bigint {
  const [weight0, weight1] = weightsOf(pair);
  const price = weightedPrice(pair, reserves);
  const sellsFirst = price > wanted;
  const [reserve, otherWeight] = sellsFirst ? [reserves[0], weight1] : [reserves[1], weight0];
  const move = sellsFirst ? price / wanted : wanted / price;
  const growth = move ** (otherWeight / (weight0 + weight1)) - 1;
  return BigInt(Math.floor(Number(reserve) * growth));
}

function weightsOf({ places }: WeightedPair): [number, number] {
  return places.map((place) => WEIGHTED_POOL.weights[place] ?? 0) as [number, number];
}
