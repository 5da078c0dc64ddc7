import { WEIGHTED_POOL, type WeightedPair } from "./shared-pools.ts";

/**
 * Price in a weighted pool, in base units of token1 per base unit of token0: the ratio of balance per weight
 * (Balancer whitepaper, formula 2).
 */
export function weightedPrice(pair: WeightedPair, [reserve0, reserve1]: [bigint, bigint]): number {
  const [weight0, weight1] = weightsOf(pair);
  return Number(reserve1) / weight1 / (Number(reserve0) / weight0);
}

/**
 * Amount of token0 to sell, or of token1 if it is to rise, that brings the price to `wanted`. A swap keeps the
 * product of balances to the power of their weights (formula 3); the small part of the fee that stays in the
 * pool is left out.
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
