import type { Deployment } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { addressOf, addressWord, uintAt, wordAt } from "../../abi/abi.ts";
import type { CallResults, Evidence, SwapFamily } from "../../families/swap-family.ts";
import { swapOf } from "../../families/swap-of.ts";
import { factoryPools, type PoolTerms } from "../../proofs/factory-pools.ts";

/**
 * constantsView() of a pool, which returns 18 words. `TOKENS_AT` has the indexes of its tokens (iDexT1.sol).
 */
const CONSTANTS: Hex = "0xb7791bf2";
const TOKENS_AT = [9, 10] as const;
/** isDex(address) of the factory */
const IS_DEX: Hex = "0x3c11e12a";
/**
 * LogOperate(address indexed user, address indexed token, int256 supplyAmount, int256 borrowAmount,
 *   address withdrawTo, address borrowTo, uint256 totalAmounts, uint256 exchangePricesAndConfig),
 * of the Liquidity layer
 */
const LOG_OPERATE: Hex = "0x4d93b232a24e82b284ced7461bf4deacffe66759d5c24513e6f29e571ad78d15";

/**
 * Fluid DEX T1. The factory creates pool number n by CREATE with the nonce n. The Liquidity layer holds the
 * tokens of all pools and lends them out.
 *
 * In a swap with an exact amount out (`swapOut`), the pool pays this amount rounded down to twelve decimals.
 * The event's amount out can therefore exceed the amount paid, but by less than 10^-12 tokens and less than a
 * millionth of the amount. All other amounts equal the transferred amounts.
 */
export const fluid: SwapFamily = {
  family: "fluid",
  events: [
    {
      // Swap(bool swap0to1, uint256 amountIn, uint256 amountOut, address to)
      topic: "0xdc004dbca4ef9c966218431ee5d9133d337ad018dd5b5c5493722803f75c64f7",
      topics: 1,
      words: 4,
      read: readSwap,
    },
  ],
  // LogDexDeployed does not name the tokens.
  creations: [],
  proof: factoryPools({
    family: "fluid",
    termsCalls: (to) => [{ to, data: CONSTANTS }],
    readTerms,
    termsOf,
    confirmation: (address, to) => ({ to, data: `${IS_DEX}${addressWord(address)}` }),
  }),
};

function readSwap(log: Log, pool: Pool): Swap {
  const amountIn = uintAt(log.data, 1);
  const amountOut = uintAt(log.data, 2);
  return isToken0In(log) ? swapOf(log, pool, amountIn, -amountOut) : swapOf(log, pool, -amountOut, amountIn);
}

function isToken0In({ data }: Log): boolean {
  return uintAt(data, 0) !== 0n;
}

function readTerms([constants]: CallResults): PoolTerms | null {
  const [token0, token1] = TOKENS_AT.map((index) => addressOf(wordAt(constants ?? "0x", index)));
  return terms(token0, token1);
}

/**
 * Reads the tokens from the logs of the Liquidity layer. Before a swap's event, the pool uses the layer
 * twice: first with the token that it receives, then with the token that it pays. No other swap of the pool
 * can come between these three logs, because a pool locks itself while it swaps.
 */
function termsOf(pool: Hex, log: Log, { transaction }: Evidence, { vault }: Deployment): PoolTerms | null {
  const [tokenIn, tokenOut] = transaction.logs
    .filter(({ logIndex, address }) => logIndex < log.logIndex && address === vault)
    .filter(({ topics: [topic, user] }) => topic === LOG_OPERATE && addressOf(user) === pool)
    .slice(-2)
    .map(({ topics }) => addressOf(topics[2]));
  return isToken0In(log) ? terms(tokenIn, tokenOut) : terms(tokenOut, tokenIn);
}

/** Returns the terms without a fee, because governance can change the fees of pools. */
function terms(token0: Hex | null | undefined, token1: Hex | null | undefined): PoolTerms | null {
  return token0 && token1 && token0 !== token1 ? { token0, token1, fee: null } : null;
}
