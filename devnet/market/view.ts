import type { Hex } from "../../src/lib/hex.ts";
import { encodeCall } from "../node/call-data.ts";
import { ROUTER } from "../node/genesis.ts";
import type { NodeClient } from "../node/node-client.ts";
import { priceOfSqrt } from "./liquidity.ts";
import { type DemoPool, type Pair, POOLS } from "./pools.ts";
import type { Random } from "./random.ts";
import { SHARED_PAIRS, type SharedPair, V4_POOLS, WEIGHTED_POOL } from "./shared/shared-pools.ts";
import { weightedPrice } from "./shared/weighted-price.ts";
import type { DemoToken } from "./tokens.ts";
import type { Wallets } from "./wallets.ts";

/** A trader who watches one token in one pool, and their balance of it. */
export interface Prospect {
  trader: Hex;
  token: DemoToken;
  pool: Pair;
  balance: bigint;
}

/**
 * State of a pool. The price is in base units of token1 per base unit of token0. Only V2 pairs have reserves.
 */
export interface PoolState {
  pool: DemoPool;
  price: number;
  reserves: [bigint, bigint];
}

/** State of a pair inside a shared contract. Only weighted pairs have reserves. */
export interface SharedState {
  pool: SharedPair;
  price: number;
  reserves: [bigint, bigint];
}

/**
 * Everything that the actors of one block see. Nothing is kept between blocks, so a market can resume at any
 * block.
 */
export interface View {
  wallets: Wallets;
  random: Random;
  /** Times of the next block and of the block before it. */
  timestamp: number;
  previousTimestamp: number;
  pools: PoolState[];
  shared: SharedState[];
  /** Balances of the weighted pool, in the order of its tokens. */
  weightedBalances: bigint[];
  prospects: Prospect[];
  /** Unix time of the rug pull. */
  rugTime: number;
  /** Returns the hidden price in USD `secondsAgo` seconds before the next block. Default: 0. */
  usd(token: DemoToken, secondsAgo?: number): number;
  /** Returns the hidden price in USD at the market's start. The initial positions are derived from it. */
  firstUsd(token: DemoToken): number;
}

const OBSERVE = "observe(uint256[],bytes32[],address[],address[],address[])";
const SLOTS = V4_POOLS.map(({ slot }) => slot);
const VENUES = POOLS.map((pool) => pool.venue);
const RESERVE_MASK = 2n ** 112n - 1n;

/** Reads the pools' prices and the prospects' balances in one call. */
export async function observe(
  client: NodeClient,
  prospects: Omit<Prospect, "balance">[],
): Promise<Pick<View, "pools" | "shared" | "weightedBalances" | "prospects">> {
  const tokens = prospects.map(({ token }) => token.address);
  const traders = prospects.map(({ trader }) => trader);
  const data = encodeCall(OBSERVE, VENUES, SLOTS, [WEIGHTED_POOL.address], tokens, traders);
  const answer = (await client.call("eth_call", { to: ROUTER, data }, "latest")) as Hex;
  // Two words precede the values: the offset and the length.
  const words = Array.from(answer.slice(2 + 2 * 64).matchAll(/.{64}/g), ([digits]) => BigInt(`0x${digits}`));
  const take = (count: number): bigint[] => words.splice(0, count);
  const venues = take(POOLS.length);
  const sqrtPrices = take(SLOTS.length);
  const balances = take(WEIGHTED_POOL.tokens.length);
  return {
    pools: POOLS.map((pool, at) => poolState(pool, venues[at] ?? 0n)),
    shared: SHARED_PAIRS.map((pool, at) => sharedState(pool, sqrtPrices[at] ?? 0n, balances)),
    weightedBalances: balances,
    prospects: prospects.map((prospect, at) => ({ ...prospect, balance: words[at] ?? 0n })),
  };
}

function poolState(pool: DemoPool, value: bigint): PoolState {
  if (pool.version === 3) return { pool, price: priceOfSqrt(value), reserves: [0n, 0n] };
  const reserves: [bigint, bigint] = [value >> 112n, value & RESERVE_MASK];
  return { pool, price: Number(reserves[1]) / Number(reserves[0]), reserves };
}

function sharedState(pool: SharedPair, sqrtPrice: bigint, balances: bigint[]): SharedState {
  if (pool.kind === "v4") return { pool, price: priceOfSqrt(sqrtPrice), reserves: [0n, 0n] };
  const reserves = pool.places.map((place) => balances[place] ?? 0n) as [bigint, bigint];
  return { pool, price: weightedPrice(pool, reserves), reserves };
}
