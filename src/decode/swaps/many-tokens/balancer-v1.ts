import type { Hex } from "../../../lib/hex.ts";
import { addressesIn, addressWord } from "../../abi/abi.ts";
import type { CallResults, SwapFamily } from "../../families/swap-family.ts";
import { namedExchange, namedTokens } from "../../families/swap-of.ts";
import { factoryPools, type PoolTerms } from "../../proofs/factory-pools.ts";

/** getCurrentTokens() */
const TOKENS: Hex = "0xcc77828d";
/** isBPool(address) */
const IS_POOL: Hex = "0xc2bb6dc2";
/** Maximum number of tokens (BConst.MAX_BOUND_TOKENS). */
const TOKEN_LIMIT = 8;

/** Balancer V1. A pool is a contract that holds up to eight tokens. The event names both tokens. */
export const balancerV1: SwapFamily = {
  family: "balancer-v1",
  events: [
    {
      // LOG_SWAP(address indexed caller, address indexed tokenIn, address indexed tokenOut,
      //   uint256 tokenAmountIn, uint256 tokenAmountOut)
      topic: "0x908fb5ee8f16c6bc9bc3690973819f32a4d4b10188134543c88706e0e1d43378",
      topics: 4,
      words: 2,
      read: namedExchange,
    },
  ],
  // LOG_NEW_POOL does not name the tokens, because a pool gets them after its creation.
  creations: [],
  proof: factoryPools({
    family: "balancer-v1",
    termsCalls: (to) => [{ to, data: TOKENS }],
    readTerms,
    termsOf: (_, log) => usedTerms(namedTokens(log) ?? []),
    confirmation: (address, to) => ({ to, data: `${IS_POOL}${addressWord(address)}` }),
  }),
};

function readTerms([tokens]: CallResults): PoolTerms | null {
  return termsOf(addressesIn(tokens ?? "0x", TOKEN_LIMIT) ?? []);
}

/**
 * Returns the terms of a pool from the two tokens that a swap names. Null marks other tokens that the pool
 * may have.
 */
function usedTerms(tokens: readonly Hex[]): PoolTerms | null {
  const terms = termsOf(tokens);
  return terms && { ...terms, tokens: [...tokens, null] };
}

function termsOf(tokens: readonly Hex[]): PoolTerms | null {
  const [token0, token1] = tokens;
  return token0 === undefined || token1 === undefined ? null : { token0, token1, tokens, fee: null };
}
