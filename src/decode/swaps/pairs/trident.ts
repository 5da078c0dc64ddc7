import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import { addressOf, addressResult, addressWord, wordAt } from "../../abi/abi.ts";
import type { AnnouncedPool, CallResults, CreationEvent, SwapFamily } from "../../families/swap-family.ts";
import { namedExchange, namedTokens } from "../../families/swap-of.ts";
import { factoryPools, type PoolTerms } from "../../proofs/factory-pools.ts";

/** token0() and token1() of a pool */
const TOKENS: readonly Hex[] = ["0x0dfe1681", "0xd21220a7"];
/** pools(address) of the MasterDeployer, which returns true if it created the pool */
const IS_POOL: Hex = "0xa4063dbc";
/** DeployPool(address indexed factory, address indexed pool, bytes deployData) of the MasterDeployer */
const DEPLOY_POOL: Hex = "0xe469f9471ac1d98222517eb2cdff1ef4df5f7880269173bb782bb78e499d9de3";
/** Number of words of the deploy data: both tokens and the fee, and a flag in constant-product pools. */
const STABLE_WORDS = 3;
const CONSTANT_PRODUCT_WORDS = 4;
/** Number of words before the deploy data: its offset and its length. */
const HEAD_WORDS = 2;

/**
 * Sushi Trident: pools whose tokens are in the BentoBox. A pool's creation code contains its arguments, so
 * its address cannot be derived from a key. The MasterDeployer, which is the deployment's factory, must
 * announce or confirm the pool. The BentoBox rounds its payments down, so a payment can be up to one base
 * unit less than the amount in the event.
 */
export const trident: SwapFamily = {
  family: "trident",
  events: [
    {
      // Swap(address indexed recipient, address indexed tokenIn, address indexed tokenOut, uint256 amountIn,
      //   uint256 amountOut)
      topic: "0xcd3829a3813dc3cdd188fd3d01dcf3268c16be2fdd2dd21d0665418816e46062",
      topics: 4,
      words: 2,
      read: namedExchange,
    },
  ],
  creations: [createdWith(STABLE_WORDS), createdWith(CONSTANT_PRODUCT_WORDS)],
  proof: factoryPools({
    family: "trident",
    termsCalls: (to) => TOKENS.map((data) => ({ to, data })),
    readTerms: ([token0, token1]: CallResults) => termsOf(addressResult(token0), addressResult(token1)),
    termsOf: (_, log) => sortedTerms(namedTokens(log) ?? []),
    confirmation: (address, to) => ({ to, data: `${IS_POOL}${addressWord(address)}` }),
  }),
};

function createdWith(words: number): CreationEvent {
  return { topic: DEPLOY_POOL, topics: 3, words: HEAD_WORDS + words, read: readCreation };
}

function readCreation({ topics, data }: Log): AnnouncedPool | null {
  const address = addressOf(topics[2]);
  const terms = sortedTerms([addressOf(wordAt(data, HEAD_WORDS)), addressOf(wordAt(data, HEAD_WORDS + 1))]);
  return address && terms && { address, ...terms };
}

/** Returns the terms of a pool whose tokens an event names in any order. The pool sorts its tokens. */
function sortedTerms(named: readonly (Hex | null)[]): PoolTerms | null {
  const [token0 = null, token1 = null] = named.toSorted();
  return termsOf(token0, token1);
}

/** Returns the terms without a fee, because only a pool's creation event shows the fee. */
function termsOf(token0: Hex | null, token1: Hex | null): PoolTerms | null {
  return token0 && token1 && { token0, token1, fee: null };
}
