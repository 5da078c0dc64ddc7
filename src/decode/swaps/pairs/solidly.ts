import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import { addressOf, smallUintOf, wordAt } from "../../abi/abi.ts";
import { keccak } from "../../abi/keccak.ts";
import type { AnnouncedPool, PoolKey, SwapFamily } from "../../families/swap-family.ts";
import { keyedPools } from "../../proofs/keyed-pools.ts";
import { PAIR_BURN, PAIR_MINT, PAIR_SWAP, readPairLiquidity, readPairSwap } from "./uniswap-v2.ts";

const VOLATILE = 0;
const STABLE = 1;

/**
 * Solidly and its successors (Velodrome, Aerodrome, LeetSwap). Each pair of tokens has two pools, a volatile
 * and a stable one. A stable pool trades on the curve x³y + xy³, so its reserves do not give a price. The
 * factory's owner can change the fees of pools. A swap moves its fee out of the pool, and the event's input
 * amount includes the fee. The first version, which Velodrome V1 and LeetSwap use, has the events of Uniswap
 * V2.
 */
export const solidly: SwapFamily = {
  family: "solidly",
  events: [
    {
      // Swap(address indexed sender, address indexed to, uint256 amount0In, uint256 amount1In,
      //   uint256 amount0Out, uint256 amount1Out)
      topic: "0xb3e2773606abfd36b5bd91394b3a54d1398336c65005baf7bf7a05efeffaf75b",
      topics: 3,
      words: 4,
      read: readPairSwap,
    },
    PAIR_SWAP,
    PAIR_MINT,
    {
      // Burn(address indexed sender, address indexed to, uint256 amount0, uint256 amount1)
      topic: "0x5d624aa9c148153ab3446c1b154f660ee7701e549fe9b62dab7171b1c80e6fa2",
      topics: 3,
      words: 2,
      read: (log, pool) => readPairLiquidity(log, pool, "burn"),
    },
    PAIR_BURN,
  ],
  creations: [
    {
      // PoolCreated(address indexed token0, address indexed token1, bool indexed stable, address pool,
      //   uint256 number)
      topic: "0x2128d88d14c80cb081c1252a5acff7a264671bf199ce226b53788fb26065005e",
      topics: 4,
      words: 2,
      read: ({ topics, data }) => announced(topics, topics[3], wordAt(data, 0)),
    },
    {
      // PairCreated(address indexed token0, address indexed token1, bool stable, address pair, uint256 number),
      // of the first version
      topic: "0xc4805696c66d7cf352fc1d6bb633ad5ee82f6cb577c453024b6e0eb8306c6fc9",
      topics: 3,
      words: 3,
      read: ({ topics, data }) => announced(topics, wordAt(data, 0), wordAt(data, 1)),
    },
  ],
  proof: keyedPools({
    family: "solidly",
    salt: saltOf,
    // getPool(address,address,bool), stable()
    selectors: { findPool: "0x79bc57d5", key: "0x22be3de1" },
    keyIsFee: false,
    keys: [VOLATILE, STABLE],
  }),
};

/** Returns the hash of the packed tokens and flag. The flag is one byte. */
function saltOf({ token0, token1, key }: PoolKey) {
  return keccak(`0x${token0.slice(2)}${token1.slice(2)}${key === STABLE ? "01" : "00"}`);
}

function announced(topics: Log["topics"], stable: Hex | undefined, pool: Hex): AnnouncedPool | null {
  const token0 = addressOf(topics[1]);
  const token1 = addressOf(topics[2]);
  const key = smallUintOf(stable);
  const address = addressOf(pool);
  if (token0 === null || token1 === null || key === null || address === null) return null;
  return { address, token0, token1, fee: null, key };
}
