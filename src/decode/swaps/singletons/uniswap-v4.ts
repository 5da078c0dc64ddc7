import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import { hookFlags } from "../../../schema/hooks.ts";
import { SINGLETON_EVENTS } from "../../../schema/singleton-events.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { addressOf, intAt, isWords, smallUintOf, wordAt } from "../../abi/abi.ts";
import { keccak } from "../../abi/keccak.ts";
import type { AnnouncedPool, Evidence, SwapFamily } from "../../families/swap-family.ts";
import { swapOf } from "../../families/swap-of.ts";
import { swapOfSwapper } from "../../hooks/swapper-amounts.ts";
import { DYNAMIC_FEE, suggestedV4Keys } from "../../keys/v4-keys.ts";

/** Uniswap V4. All pools are in the PoolManager, which is also their factory. */
export const uniswapV4: SwapFamily = {
  family: "uniswap-v4",
  events: [{ topic: SINGLETON_EVENTS.swap, topics: 3, words: 6, read: readSwap }],
  creations: [{ topic: SINGLETON_EVENTS.initialize, topics: 4, words: 5, read: readCreation }],
  poolIdOf: ({ topics }) => topics[1] ?? null,
  keys: {
    poolOfKey,
    suggestedKeys: suggestedV4Keys,
    // poolKeys(bytes25), which returns zeros if the position manager created no position in the pool.
    view: { contract: "positionManager", selector: "0x86b6be7d", digits: 50 },
  },
};

/** Number of words in a pool's key: both currencies, fee, tick spacing and hooks. */
const KEY_WORDS = 5;

/**
 * Returns the swap with the event's amounts negated. The event has the pool's amounts from the swapper's
 * side, so amounts that the swapper pays are negative. The pool's hook may change what the swapper pays and
 * receives.
 */
function readSwap(log: Log, pool: Pool, evidence: Evidence): Swap {
  return swapOfSwapper(swapOf(log, pool, -intAt(log.data, 0), -intAt(log.data, 1)), log, evidence);
}

function readCreation(log: Log): AnnouncedPool | null {
  const [, id, currency0, currency1] = log.topics;
  if (id === undefined || currency0 === undefined || currency1 === undefined) return null;
  const words = [currency0, currency1, ...[0, 1, 2].map((index) => wordAt(log.data, index))];
  return poolOfKey(id, `0x${words.map((word) => word.slice(2)).join("")}`);
}

/**
 * Returns the pool of a key (the ABI encoding of a PoolKey). Returns null unless the id is the key's hash,
 * which proves the key.
 */
export function poolOfKey(id: Hex, key: Hex): AnnouncedPool | null {
  if (!isWords(key, KEY_WORDS) || keccak(key) !== id) return null;
  const token0 = addressOf(wordAt(key, 0));
  const token1 = addressOf(wordAt(key, 1));
  const fee = smallUintOf(wordAt(key, 2));
  const hooks = addressOf(wordAt(key, 4));
  if (token0 === null || token1 === null || fee === null || hooks === null) return null;
  const poolFee = fee === DYNAMIC_FEE ? null : fee;
  return { address: id, token0, token1, fee: poolFee, hooks, hookFlags: hookFlags(hooks) };
}
