import { addressWord } from "../../abi/abi.ts";
import { keccak } from "../../abi/keccak.ts";
import { announcedPair } from "../../families/announced-pair.ts";
import type { SwapFamily } from "../../families/swap-family.ts";
import { keyedPools } from "../../proofs/keyed-pools.ts";
import { POOL_COLLECT, POOL_MINT, readPoolLiquidity, readPoolSwap } from "./uniswap-v3.ts";

/**
 * Algebra Integral since version 1.2. Earlier versions have the events of Uniswap V3 and are listed as its
 * forks. Each pair of tokens has one pool, and a plugin sets the fee of each swap. Custom pools
 * (`createCustomPool`) are not read. Their salt also contains the contract that manages them.
 */
export const algebraIntegral: SwapFamily = {
  family: "algebra-integral",
  events: [
    {
      // Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 price,
      //   uint128 liquidity, int24 tick, uint24 overrideFee, uint24 pluginFee)
      topic: "0x121cb44ee54098b1a04743c487e7460d8dd429b27f88b1f4d4767396e1a59f79",
      topics: 3,
      words: 7,
      read: readPoolSwap,
    },
    POOL_MINT,
    {
      // Burn(address indexed owner, int24 indexed bottomTick, int24 indexed topTick, uint128 liquidityAmount,
      //   uint256 amount0, uint256 amount1, uint24 pluginFee)
      topic: "0x932214d4a69c27c086643126ed97c32681da179064c678836c173f99bd13ca01",
      topics: 4,
      words: 4,
      read: (log, pool) => readPoolLiquidity(log, pool, "burn", 1),
    },
    POOL_COLLECT,
  ],
  creations: [
    {
      // Pool(address indexed token0, address indexed token1, address pool)
      topic: "0x91ccaa7a278130b65168c3a0c8d3bcae84cf5e43704342bd3ec0b59e59c036db",
      topics: 3,
      words: 1,
      read: (log) => announcedPair(log, 0, null),
    },
  ],
  proof: keyedPools({
    family: "algebra-integral",
    salt: ({ token0, token1 }) => keccak(`0x${addressWord(token0)}${addressWord(token1)}`),
    // poolByPair(address,address)
    selectors: { findPool: "0xd9a641e1", key: null },
    keys: [null],
    keyIsFee: false,
  }),
};
