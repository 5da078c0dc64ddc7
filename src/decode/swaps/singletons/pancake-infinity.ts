import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import { infinityHookFlags } from "../../../schema/hooks.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { addressOf, addressWord, intAt, isWords, smallUintOf, wordAt } from "../../abi/abi.ts";
import { keccak } from "../../abi/keccak.ts";
import type { AnnouncedPool, KeyScheme, SwapFamily } from "../../families/swap-family.ts";
import { swapOf, withoutAmounts } from "../../families/swap-of.ts";
import { isChangedByHook } from "../../hooks/swapper-amounts.ts";
import { type InfinityRules, suggestedInfinityKeys } from "../../keys/infinity-keys.ts";
import { DYNAMIC_FEE, tickSpacings, USUAL_FEES } from "../../keys/v4-keys.ts";

/** Number of words in a pool's key: both currencies, hooks, pool manager, fee and parameters. */
const KEY_WORDS = 6;
/** Bin steps to try: common ones, up to the maximum that the manager allows by default. */
const BIN_STEPS = [1, 2, 5, 10, 15, 20, 25, 50, 80, 100];

/**
 * PancakeSwap Infinity's pools with ticks. All of them are in the CLPoolManager, which is also their factory.
 * A vault holds their tokens.
 */
export const pancakeInfinityCl: SwapFamily = {
  family: "pancake-infinity-cl",
  events: [
    {
      // Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96,
      //   uint128 liquidity, int24 tick, uint24 fee, uint16 protocolFee)
      topic: "0x04206ad2b7c0f463bff3dd4f33c5735b0f2957a351e4f79763a4fa9e775dd237",
      topics: 3,
      words: 7,
      read: readSwap,
    },
  ],
  creations: [
    {
      // Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, address hooks,
      //   uint24 fee, bytes32 parameters, uint160 sqrtPriceX96, int24 tick)
      topic: "0x426cc62fe6a33a40ba2788c2c87a9c34ee4582b95bc9fa5a7bb7ae70b750b99c",
      topics: 4,
      words: 5,
      read: readCreation,
    },
  ],
  poolIdOf: ({ topics }) => topics[1] ?? null,
  keys: keyScheme({
    feeWord: 5,
    usualFees: USUAL_FEES.map(([fee]) => fee),
    stepsOf: (fee) => tickSpacings(fee, []),
  }),
};

/**
 * PancakeSwap Infinity's pools with bins. All of them are in the BinPoolManager, which is also their factory.
 * A vault holds their tokens.
 */
export const pancakeInfinityBin: SwapFamily = {
  family: "pancake-infinity-bin",
  events: [
    {
      // Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint24 activeId,
      //   uint24 fee, uint16 protocolFee)
      topic: "0x3e8aae37f890eb1f9d63dd4d2062f3f0be757848a0f0760e4f3e53dad556e861",
      topics: 3,
      words: 5,
      read: readSwap,
    },
  ],
  creations: [
    {
      // Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, address hooks,
      //   uint24 fee, bytes32 parameters, uint24 activeId)
      topic: "0xddfde5903015c0eb1671976c6c8f760f1328bec57f15286b6bdab2f955cab9c9",
      topics: 4,
      words: 4,
      read: readCreation,
    },
  ],
  poolIdOf: ({ topics }) => topics[1] ?? null,
  keys: keyScheme({ feeWord: 3, usualFees: [], stepsOf: () => BIN_STEPS }),
};

function keyScheme(rules: InfinityRules): KeyScheme {
  return {
    poolOfKey,
    suggestedKeys: (swap) => suggestedInfinityKeys(swap, rules),
    // poolIdToPoolKey(bytes32)
    view: { contract: "factory", selector: "0x0e2d484a", digits: 64 },
  };
}

/**
 * Returns the swap with the event's amounts negated. In the event, amounts that the swapper pays are
 * negative, although the comments of the contract say otherwise. The amounts are unknown if the pool's hook
 * may change what the swapper pays and receives, because the event has only the pool's amounts.
 */
function readSwap(log: Log, pool: Pool): Swap {
  const swap = swapOf(log, pool, -intAt(log.data, 0), -intAt(log.data, 1));
  return isChangedByHook(swap, log) ? withoutAmounts(swap, "hook_may_change_amounts") : swap;
}

/** Reads a pool creation. The event has the whole key except the pool manager, which emits it. */
function readCreation({ address, topics, data }: Log): AnnouncedPool | null {
  const [, id, currency0, currency1] = topics;
  if (id === undefined || currency0 === undefined || currency1 === undefined) return null;
  const [hooks, fee, parameters] = [0, 1, 2].map((index) => wordAt(data, index).slice(2));
  const words = [currency0.slice(2), currency1.slice(2), hooks, addressWord(address), fee, parameters];
  return poolOfKey(id, `0x${words.join("")}`);
}

/** Returns null unless the id is the key's hash. */
function poolOfKey(id: Hex, key: Hex): AnnouncedPool | null {
  if (!isWords(key, KEY_WORDS) || keccak(key) !== id) return null;
  const token0 = addressOf(wordAt(key, 0));
  const token1 = addressOf(wordAt(key, 1));
  const hooks = addressOf(wordAt(key, 2));
  const fee = smallUintOf(wordAt(key, 4));
  if (token0 === null || token1 === null || hooks === null || fee === null) return null;
  const hookFlags = infinityHookFlags(wordAt(key, 5));
  return { address: id, token0, token1, fee: fee === DYNAMIC_FEE ? null : fee, hooks, hookFlags };
}
