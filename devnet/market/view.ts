import type { Hex } from "../../src/lib/hex.ts";
import { encodeCall } from "../node/call-data.ts";
import { ROUTER } from "../node/genesis.ts";
import type { NodeClient } from "../node/node-client.ts";
import { priceOfSqrt } from "./liquidity.ts";
import { type DemoPool, POOLS } from "./pools.ts";
import type { Random } from "./random.ts";
import type { DemoToken } from "./tokens.ts";
import type { Wallets } from "./wallets.ts";

/** A trader who watches one token in one pool, and their balance of it. */
export interface Prospect {
  trader: Hex;
  token: DemoToken;
  pool: DemoPool;
  balance: bigint;
}

/** State of a pool: its price in base units of token1 per base unit of token0; reserves of V2 pairs. */
export interface PoolState {
  pool: DemoPool;
  price: number;
  reserves: [bigint, bigint];
}

/**
 * Everything that the actors of one block see. Nothing is kept between blocks, so a market can resume
 * anywhere.
 */
export interface View {
  wallets: Wallets;
  random: Random;
  /** Time of the next block, and of the one before it. */
  timestamp: number;
  previousTimestamp: number;
  pools: PoolState[];
  prospects: Prospect[];
  /** Unix time at which the rug is pulled. */
  rugTime: number;
  /** Hidden price in USD, now or `secondsAgo`. */
  usd(token: DemoToken, secondsAgo?: number): number;
  /** Hidden price in USD at the market's start, from which positions are derived. */
  firstUsd(token: DemoToken): number;
}

const OBSERVE = "observe(uint256[],address[],address[])";
const VENUES = POOLS.map((pool) => pool.venue);
const RESERVE_MASK = 2n ** 112n - 1n;

/** Reads the pools' prices and the prospects' balances in one call. */
export async function observe(
  client: NodeClient,
  prospects: Omit<Prospect, "balance">[],
): Promise<Pick<View, "pools" | "prospects">> {
  const tokens = prospects.map(({ token }) => token.address);
  const traders = prospects.map(({ trader }) => trader);
  const data = encodeCall(OBSERVE, VENUES, tokens, traders);
  const answer = (await client.call("eth_call", { to: ROUTER, data }, "latest")) as Hex;
  // Two words precede the values: offset and length.
  const value = (at: number): bigint => BigInt(`0x${answer.slice(2 + 64 * (at + 2), 2 + 64 * (at + 3))}`);
  return {
    pools: POOLS.map((pool, at) => poolState(pool, value(at))),
    prospects: prospects.map((prospect, at) => ({ ...prospect, balance: value(POOLS.length + at) })),
  };
}

function poolState(pool: DemoPool, value: bigint): PoolState {
  if (pool.version === 3) return { pool, price: priceOfSqrt(value), reserves: [0n, 0n] };
  const reserves: [bigint, bigint] = [value >> 112n, value & RESERVE_MASK];
  return { pool, price: Number(reserves[1]) / Number(reserves[0]), reserves };
}
