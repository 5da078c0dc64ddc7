import type { Deployment } from "../../../chains/chain.ts";
import type { Log } from "../../../schema/block.ts";
import type { LiquidityChange, Pool, Swap } from "../../../schema/swap.ts";
import { addressWord, intAt, smallUintOf, uintAt, uintWord, wordAt } from "../../abi/abi.ts";
import { keccak } from "../../abi/keccak.ts";
import { announcedPair } from "../../families/announced-pair.ts";
import type { AnnouncedPool, PoolEvent, SwapFamily } from "../../families/swap-family.ts";
import { swapOf } from "../../families/swap-of.ts";
import { keyedPools } from "../../proofs/keyed-pools.ts";

/** Liquidity added, in Uniswap V3 and Algebra. */
export const POOL_MINT: PoolEvent = {
  // Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper,
  //   uint128 amount, uint256 amount0, uint256 amount1)
  topic: "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde",
  topics: 4,
  words: 4,
  read: (log, pool) => readPoolLiquidity(log, pool, "mint", 2),
};

/** Tokens collected, in Uniswap V3 and Algebra. */
export const POOL_COLLECT: PoolEvent = {
  // Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper,
  //   uint128 amount0, uint128 amount1)
  topic: "0x70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0",
  topics: 4,
  words: 3,
  read: (log, pool) => readPoolLiquidity(log, pool, "collect", 1),
};

/** Uniswap V3 and its forks. Pools have concentrated liquidity, and each pool has a fee. */
export const uniswapV3: SwapFamily = {
  family: "uniswap-v3",
  events: [
    {
      // Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1,
      //   uint160 sqrtPriceX96, uint128 liquidity, int24 tick)
      topic: "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67",
      topics: 3,
      words: 5,
      read: readPoolSwap,
    },
    {
      // PancakeSwap V3 appends uint128 protocolFeesToken0, uint128 protocolFeesToken1.
      topic: "0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83",
      topics: 3,
      words: 7,
      read: readPoolSwap,
    },
    POOL_MINT,
    {
      // Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount,
      //   uint256 amount0, uint256 amount1)
      topic: "0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c",
      topics: 4,
      words: 3,
      read: (log, pool) => readPoolLiquidity(log, pool, "burn", 1),
    },
    POOL_COLLECT,
  ],
  creations: [
    {
      // PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing,
      //   address pool)
      topic: "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118",
      topics: 4,
      words: 2,
      read: readCreation,
    },
    {
      // Slipstream: PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing,
      //   address pool)
      topic: "0xab0d57f0df537bb25e80245ef7748fa62353808c54d6e528a9dd20887aed9ac2",
      topics: 4,
      words: 1,
      read: readSlipstreamCreation,
    },
    {
      // Algebra: Pool(address indexed token0, address indexed token1, address pool)
      topic: "0x91ccaa7a278130b65168c3a0c8d3bcae84cf5e43704342bd3ec0b59e59c036db",
      topics: 3,
      words: 1,
      read: (log) => announcedPair(log, 0, null),
    },
  ],
  proof: keyedPools({
    family: "uniswap-v3",
    salt: ({ token0, token1, key }) =>
      keccak(`0x${addressWord(token0)}${addressWord(token1)}${key === null ? "" : uintWord(key)}`),
    // getPool(address,address,uint24), fee()
    selectors: { findPool: "0x1698ee82", key: "0xddca3f43" },
    // 2500 is a fee of PancakeSwap and BaseSwap. 200, 300 and 400 are fees of Uniswap on Base. 200 and 750
    // are fees of Alien Base. 80, 350 and 450 are fees of BaseSwap.
    keyIsFee: true,
    keys: [3000, 500, 10_000, 100, 2500, 200, 300, 400, 750, 450, 350, 80],
  }),
};

/** Reads a swap whose event has signed amounts. */
export function readPoolSwap(log: Log, pool: Pool): Swap {
  return swapOf(log, pool, intAt(log.data, 0), intAt(log.data, 1));
}

/** @param amountIndex word index of amount0, which amount1 follows */
export function readPoolLiquidity(
  log: Log,
  pool: Pool,
  kind: LiquidityChange["kind"],
  amountIndex: number,
): LiquidityChange {
  return {
    kind,
    logIndex: log.logIndex,
    pool,
    amount0: uintAt(log.data, amountIndex),
    amount1: uintAt(log.data, amountIndex + 1),
  };
}

/**
 * Reads a pool creation. If the tick spacing is the pool's key, it is read as an unsigned number, because it
 * is positive.
 */
function readCreation(log: Log, _: readonly Log[], { keyIsTickSpacing }: Deployment): AnnouncedPool | null {
  const fee = smallUintOf(log.topics[3]);
  const pool = fee === null ? null : announcedPair(log, 1, fee);
  if (pool === null || !keyIsTickSpacing) return pool;
  const tickSpacing = smallUintOf(wordAt(log.data, 0));
  return tickSpacing === null ? null : { ...pool, key: tickSpacing };
}

/**
 * Reads a pool creation by Slipstream. Returns no fee, because the fees of Slipstream's pools change. Reads
 * the tick spacing as an unsigned number, because it is positive.
 */
function readSlipstreamCreation(log: Log): AnnouncedPool | null {
  const tickSpacing = smallUintOf(log.topics[3]);
  const pool = announcedPair(log, 0, null);
  return tickSpacing === null || pool === null ? null : { ...pool, key: tickSpacing };
}
