import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import type { PoolFamily } from "../../../schema/pool-families.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { smallUintOf, uintAt, wordAt } from "../../abi/abi.ts";
import type { SwapFamily } from "../../families/swap-family.ts";
import { exchangeOf } from "../../families/swap-of.ts";
import { listedPools } from "../../proofs/listed-pools.ts";

/**
 * The stable pools of Saddle and its forks, such as Synapse. A pool holds its tokens. The amounts in the event
 * are those that the pool received and paid.
 *
 * Source: saddle-finance/saddle-contract (SwapUtils.sol).
 */
export const saddle: SwapFamily = indexedPools({
  family: "saddle",
  // TokenSwap(address indexed buyer, uint256 tokensSold, uint256 tokensBought, uint128 soldId,
  //   uint128 boughtId)
  topic: "0xc6c1e0630dbe9130cc068028486c0d118ddcea348550819defd5cb8c257f8a38",
  amountIn: 0,
  amountOut: 1,
  sold: 2,
  bought: 3,
});

/**
 * Smoothy: one contract for all of its stablecoins. It lends some of them out. It reports exchanges of more
 * than two tokens by another event (SwapAll), which is ignored.
 *
 * Source: smoothyfinance/smoothy-contract (SmoothyV1.sol).
 */
export const smoothy: SwapFamily = indexedPools({
  family: "smoothy",
  // Swap(address indexed buyer, uint256 bTokenIdIn, uint256 bTokenIdOut, uint256 inAmount, uint256 outAmount)
  topic: "0x49926bbebe8474393f434dfa4f78694c0923efa07d19f2284518bfabd06eb737",
  sold: 0,
  bought: 1,
  amountIn: 2,
  amountOut: 3,
});

/** A swap event that has the indexes of its tokens. The numbers are word indexes. */
interface IndexedEvent {
  family: PoolFamily;
  topic: Hex;
  sold: number;
  bought: number;
  amountIn: number;
  amountOut: number;
}

function indexedPools({ family, topic, ...at }: IndexedEvent): SwapFamily {
  return {
    family,
    events: [{ topic, topics: 2, words: 4, read: (log, pool) => readSwap(log, pool, at) }],
    creations: [],
    proof: listedPools(family),
  };
}

/** Returns null if the pool has no token with one of the indexes. */
function readSwap(log: Log, pool: Pool, at: Omit<IndexedEvent, "family" | "topic">): Swap | null {
  const tokenIn = tokenAt(log, pool, at.sold);
  const tokenOut = tokenAt(log, pool, at.bought);
  if (tokenIn === null || tokenOut === null || tokenIn === tokenOut) return null;
  const amounts = { amountIn: uintAt(log.data, at.amountIn), amountOut: uintAt(log.data, at.amountOut) };
  return exchangeOf(log, pool, { tokenIn, tokenOut, ...amounts });
}

function tokenAt({ data }: Log, { tokens }: Pool, word: number): Hex | null {
  const index = smallUintOf(wordAt(data, word));
  return index === null ? null : (tokens[index] ?? null);
}
