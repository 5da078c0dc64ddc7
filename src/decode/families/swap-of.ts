import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { AmountsUnknown, Pool, Swap } from "../../schema/swap.ts";
import { addressOf, uintAt } from "../abi/abi.ts";

/** Makes a swap in a pool of two tokens. Positive amounts entered the pool, negative amounts left it. */
export function swapOf({ logIndex }: Log, pool: Pool, amount0: bigint, amount1: bigint): Swap {
  const { token0, token1 } = pool;
  return { kind: "swap", logIndex, pool, token0, token1, amount0, amount1, amountsUnknown: null };
}

/** Returns the swap without its amounts. Keeps the directions, which determine the side of the trade. */
export function withoutAmounts(swap: Swap, amountsUnknown: AmountsUnknown): Swap {
  const [amount0, amount1] = [directionOf(swap.amount0), directionOf(swap.amount1)];
  return { ...swap, amount0, amount1, amountsUnknown };
}

/** Returns 1 for an amount that entered a pool, -1 for an amount that left it, and 0 for zero. */
export function directionOf(amount: bigint): bigint {
  return amount === 0n ? 0n : amount < 0n ? -1n : 1n;
}

/** The tokens that a swap exchanged, and their amounts in base units. */
interface Exchange {
  tokenIn: Hex;
  amountIn: bigint;
  tokenOut: Hex;
  amountOut: bigint;
}

/** Makes a swap whose event names the two tokens. The pool may have any number of tokens. */
export function exchangeOf({ logIndex }: Log, pool: Pool, exchange: Exchange): Swap {
  const { tokenIn, amountIn, tokenOut, amountOut } = exchange;
  const amounts = { token0: tokenIn, token1: tokenOut, amount0: amountIn, amount1: -amountOut };
  return { kind: "swap", logIndex, pool, ...amounts, amountsUnknown: null };
}

/**
 * Reads the tokens that an event names in its third and fourth topics. The first entered the pool and the
 * second left it.
 */
export function namedTokens({ topics }: Log): [tokenIn: Hex, tokenOut: Hex] | null {
  const tokenIn = addressOf(topics[2]);
  const tokenOut = addressOf(topics[3]);
  return tokenIn && tokenOut && [tokenIn, tokenOut];
}

/** Makes a swap whose event has both tokens in its topics and both amounts in its data. */
export function namedExchange(log: Log, pool: Pool): Swap | null {
  const tokens = namedTokens(log);
  if (tokens === null) return null;
  const [tokenIn, tokenOut] = tokens;
  const amounts = { amountIn: uintAt(log.data, 0), amountOut: uintAt(log.data, 1) };
  return exchangeOf(log, pool, { tokenIn, tokenOut, ...amounts });
}
