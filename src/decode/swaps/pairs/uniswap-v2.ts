import type { Log } from "../../../schema/block.ts";
import type { PoolFamily } from "../../../schema/pool-families.ts";
import type { LiquidityChange, Pool, ReserveSync, Swap } from "../../../schema/swap.ts";
import { uintAt } from "../../abi/abi.ts";
import { keccak } from "../../abi/keccak.ts";
import { announcedPair } from "../../families/announced-pair.ts";
import type { CreationEvent, PoolEvent, SwapFamily } from "../../families/swap-family.ts";
import { swapOf } from "../../families/swap-of.ts";
import { keyedPools } from "../../proofs/keyed-pools.ts";

/** A swap, in Uniswap V2 and the first version of Solidly. */
export const PAIR_SWAP: PoolEvent = {
  // Swap(address indexed sender, uint amount0In, uint amount1In, uint amount0Out, uint amount1Out,
  // address indexed to)
  topic: "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822",
  topics: 3,
  words: 4,
  read: readPairSwap,
};

/** Liquidity added, in Uniswap V2 and Solidly. */
export const PAIR_MINT: PoolEvent = {
  // Mint(address indexed sender, uint amount0, uint amount1)
  topic: "0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f",
  topics: 2,
  words: 2,
  read: (log, pool) => readPairLiquidity(log, pool, "mint"),
};

/** Liquidity removed, in Uniswap V2 and the first version of Solidly. */
export const PAIR_BURN: PoolEvent = {
  // Burn(address indexed sender, uint amount0, uint amount1, address indexed to)
  topic: "0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496",
  topics: 3,
  words: 2,
  read: (log, pool) => readPairLiquidity(log, pool, "burn"),
};

/** The creation of a pair, in Uniswap V2 and SmarDex. */
export const PAIR_CREATED: CreationEvent = {
  // PairCreated(address indexed token0, address indexed token1, address pair, uint)
  topic: "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9",
  topics: 3,
  words: 2,
  read: (log) => announcedPair(log, 0, null),
};

/** Uniswap V2 and its forks. In most of them, all pairs have the same fee. Sync reports the reserves. */
export const uniswapV2: SwapFamily = {
  family: "uniswap-v2",
  events: [
    PAIR_SWAP,
    {
      // Sync(uint112 reserve0, uint112 reserve1)
      topic: "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1",
      topics: 1,
      words: 2,
      read: readSync,
    },
    PAIR_MINT,
    PAIR_BURN,
  ],
  creations: [PAIR_CREATED],
  proof: pairProof("uniswap-v2", { keyIsFee: true }),
};

/** Proves pairs that a factory like that of Uniswap V2 creates and looks up: one for two tokens. */
export function pairProof(family: PoolFamily, { keyIsFee }: { keyIsFee: boolean }) {
  return keyedPools({
    family,
    salt: ({ token0, token1 }) => keccak(`0x${token0.slice(2)}${token1.slice(2)}`),
    // getPair(address,address)
    selectors: { findPool: "0xe6a43905", key: null },
    keys: [null],
    keyIsFee,
  });
}

/** Reads a swap whose event reports the amounts of both tokens that entered and left the pool. */
export function readPairSwap(log: Log, pool: Pool): Swap {
  const amount0 = uintAt(log.data, 0) - uintAt(log.data, 2);
  return swapOf(log, pool, amount0, uintAt(log.data, 1) - uintAt(log.data, 3));
}

function readSync(log: Log, pool: Pool): ReserveSync {
  return {
    kind: "sync",
    logIndex: log.logIndex,
    pool,
    reserve0: uintAt(log.data, 0),
    reserve1: uintAt(log.data, 1),
  };
}

export function readPairLiquidity(log: Log, pool: Pool, kind: "mint" | "burn"): LiquidityChange {
  return {
    kind,
    logIndex: log.logIndex,
    pool,
    amount0: uintAt(log.data, 0),
    amount1: uintAt(log.data, 1),
  };
}
