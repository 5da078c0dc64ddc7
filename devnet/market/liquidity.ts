import type { Hex } from "../../src/lib/hex.ts";
import type { Intent } from "../node/block-maker.ts";
import { encodeCall } from "../node/call-data.ts";
import { ROUTER } from "../node/genesis.ts";
import { type DemoPool, type Pair, POOLS, TICK_SPACINGS } from "./pools.ts";
import { V4_POOLS } from "./shared/shared-pools.ts";
import type { DemoToken } from "./tokens.ts";

const Q96 = 2 ** 96;
const ADD_GAS = 700_000;
// Ranges of the initial liquidity: the factor by which each range extends from the first price in both
// directions, and its share of the value.
const RANGES = [
  { factor: 6, share: 0.5 },
  { factor: 1.7, share: 0.35 },
  { factor: 1.2, share: 0.15 },
];

/** Pools with price ranges, and V2 pairs. The index of a pool in this list determines its makers. */
const PLACES: Pair[] = [...POOLS, ...V4_POOLS];

/** A price range of a V3 or V4 pool, and its provider. */
export interface Position<P extends Pair = DemoPool> {
  pool: P;
  owner: Hex;
  lower: number;
  upper: number;
  liquidity: bigint;
}

/** Returns the number of a token's base units that are worth the given amount in USD. */
export function unitsOf(token: DemoToken, usd: number, price: number): bigint {
  return BigInt(Math.floor((usd / price) * 10 ** token.decimals));
}

/** Returns the price in base units of token1 per base unit of token0. */
export function poolPrice(pool: Pair, usdOf: (token: DemoToken) => number): number {
  return (usdOf(pool.token0) / usdOf(pool.token1)) * 10 ** (pool.token1.decimals - pool.token0.decimals);
}

/** Returns a price in the form that V3 pools store: the square root in 64.96 fixed point. */
export function sqrtPriceX96(price: number): bigint {
  return BigInt(Math.floor(Math.sqrt(price) * Q96));
}

export function priceOfSqrt(sqrtPrice: bigint): number {
  return (Number(sqrtPrice) / Q96) ** 2;
}

/**
 * Returns the initial positions of a V3 or V4 pool. They depend only on the pool's first price, so they need
 * not be stored.
 */
export function firstPositions<P extends Pair>(
  pool: P,
  usdOf: (token: DemoToken) => number,
  makers: Hex[],
): Position<P>[] {
  const price = poolPrice(pool, usdOf);
  const stable = pool.fee === 100;
  return RANGES.map(({ factor, share }, at) => {
    const reach = stable ? 1 + (factor - 1) / 100 : factor;
    const lower = tickAt(price / reach, pool);
    const upper = tickAt(price * reach, pool);
    const value = (pool.usd * share) / 2;
    const amount1 = (value / usdOf(pool.token1)) * 10 ** pool.token1.decimals;
    // Uniswap V3 whitepaper, 6.29: amount1 = L * (sqrt(P) - sqrt(Pa)).
    const liquidity = amount1 / (Math.sqrt(price) - Math.sqrt(1.0001 ** lower));
    const owner = makers[(PLACES.indexOf(pool) + 5 * at) % makers.length] as Hex;
    return { pool, owner, lower, upper, liquidity: BigInt(Math.floor(liquidity)) };
  });
}

function tickAt(price: number, pool: Pair): number {
  const spacing = TICK_SPACINGS[pool.fee] ?? 60;
  return Math.round(Math.log(price) / Math.log(1.0001) / spacing) * spacing;
}

/** Returns the liquidity provider of a V2 pair. */
export function pairMaker(pool: DemoPool, makers: Hex[]): Hex {
  return makers[POOLS.indexOf(pool) % makers.length] as Hex;
}

export function addPosition(position: Position, liquidity: bigint): Intent {
  const { pool, owner, lower, upper } = position;
  const signature = "addV3(address,address,address,int24,int24,uint128)";
  const data = encodeCall(signature, ...placeOf(pool), lower, upper, liquidity);
  return { from: owner, to: ROUTER, data, gas: ADD_GAS };
}

/** Returns two transactions from the owner directly to the pool, which remove liquidity and collect it. */
export function removePosition(position: Position, liquidity: bigint): Intent[] {
  const { pool, owner, lower, upper } = position;
  const everything = 2n ** 128n - 1n;
  const collect = "collect(address,int24,int24,uint128,uint128)";
  return [
    { from: owner, to: pool.address, data: encodeCall("burn(int24,int24,uint128)", lower, upper, liquidity) },
    { from: owner, to: pool.address, data: encodeCall(collect, owner, lower, upper, everything, everything) },
  ];
}

export function addPair(pool: DemoPool, owner: Hex, [amount0, amount1]: [bigint, bigint]): Intent {
  const data = encodeCall(
    "addV2(address,address,address,uint256,uint256)",
    ...placeOf(pool),
    amount0,
    amount1,
  );
  return { from: owner, to: ROUTER, data, gas: ADD_GAS };
}

/**
 * Returns the removal of liquidity from a pair. `share` is in millionths of the owner's liquidity in the
 * pair.
 */
export function removePair(pool: DemoPool, owner: Hex, share: number): Intent {
  return { from: owner, to: ROUTER, data: encodeCall("removeV2(address,uint256)", pool.address, share) };
}

function placeOf(pool: DemoPool): [Hex, Hex, Hex] {
  return [pool.address, pool.token0.address, pool.token1.address];
}
