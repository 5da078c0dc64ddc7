import type { Log } from "../../schema/block.ts";
import { SINGLETON_EVENTS } from "../../schema/singleton-events.ts";
import type { Pool, Swap } from "../../schema/swap.ts";
import { addressOf, addressWord, intAt, smallUintOf, wordAt } from "../abi.ts";
import { keccak } from "../keccak.ts";
import type { AnnouncedPool, SwapFamily } from "../swap-family.ts";

/** Uniswap V4: all pools are in the PoolManager, which is their factory too. */
export const uniswapV4: SwapFamily = {
  family: "uniswap-v4",
  events: [{ topic: SINGLETON_EVENTS.swap, topics: 3, words: 6, read: readSwap }],
  creation: { topic: SINGLETON_EVENTS.initialize, topics: 4, words: 5, read: readCreation },
};

/** Where the data of Initialize has what follows the two currencies in a pool's key: fee, tick spacing, hooks. */
const KEY_WORDS = [0, 1, 2];
/** A fee that the pool's hooks set, swap by swap. */
const DYNAMIC_FEE = 0x800000;

/** Amounts are the swapper's: what is paid in is negative. */
function readSwap(log: Log, pool: Pool): Swap {
  return {
    kind: "swap",
    logIndex: log.logIndex,
    pool,
    amount0: -intAt(log.data, 0),
    amount1: -intAt(log.data, 1),
  };
}

/** A pool's id is the hash of its key, so that whoever tells the key proves it. */
function readCreation(log: Log): AnnouncedPool | null {
  const [, id, word0, word1] = log.topics;
  const token0 = addressOf(word0);
  const token1 = addressOf(word1);
  const fee = smallUintOf(wordAt(log.data, 0));
  if (id === undefined || token0 === null || token1 === null || fee === null) return null;
  const rest = KEY_WORDS.map((index) => wordAt(log.data, index).slice(2)).join("");
  if (keccak(`0x${addressWord(token0)}${addressWord(token1)}${rest}`) !== id) return null;
  return { address: id, token0, token1, fee: fee === DYNAMIC_FEE ? null : fee };
}
