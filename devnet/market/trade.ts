import type { Hex } from "../../src/lib/hex.ts";
import type { Intent } from "../node/block-maker.ts";
import { encodeCall } from "../node/call-data.ts";
import { ROUTER } from "../node/genesis.ts";
import type { Pair } from "./pools.ts";
import type { DemoToken } from "./tokens.ts";

const ONE_POOL_GAS = 450_000;
const TWO_POOLS_GAS = 700_000;
const WEI = 10 ** 18;
/** A whole balance, in millionths, as the router expects. */
export const ALL = 1_000_000;

interface Trade {
  trader: Hex;
  /** One pool, or two pools that share the intermediate token. */
  through: [Pair] | [Pair, Pair];
  sell: DemoToken;
  /** Millionths of the trader's balance of `sell`. */
  share: number;
  /** Minimum output, in base units. */
  minimum?: bigint;
}

export function tradeShare({ trader, through, sell, share, minimum = 0n }: Trade): Intent {
  const [first, second] = through;
  const between = second === undefined ? null : quoteOf(first, sell);
  const out = second === undefined || between === null ? quoteOf(first, sell) : quoteOf(second, between);
  const part = Math.min(ALL, Math.max(1, Math.floor(share)));
  const venues = [first.venue, second?.venue ?? 0n] as const;
  const path = [sell.address, between?.address ?? 0, out.address] as const;
  const data = encodeCall(TRADE, ...venues, ...path, part, minimum);
  return { from: trader, to: ROUTER, data, gas: second === undefined ? ONE_POOL_GAS : TWO_POOLS_GAS };
}

/**
 * Returns a trade that pays with ether. The router wraps it if the pool needs wrapped ether. `weth` is the
 * wrapped token.
 */
export function tradeEther(trader: Hex, pool: Pair, [weth, ether]: [DemoToken, number]): Intent {
  const data = encodeCall(TRADE, pool.venue, 0, weth.address, 0, quoteOf(pool, weth).address, 0, 0);
  return { from: trader, to: ROUTER, data, value: BigInt(Math.floor(ether * WEI)), gas: ONE_POOL_GAS };
}

const TRADE = "trade((uint256,uint256,address,address,address,uint256,uint256))";

/** Returns the other token of a pool. */
export function quoteOf(pool: Pair, token: DemoToken): DemoToken {
  return pool.token0 === token ? pool.token1 : pool.token0;
}
