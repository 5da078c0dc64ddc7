import type { Hex } from "../lib/hex.ts";

/**
 * Topics of the events of Uniswap V4's PoolManager that report the state of its pools. The first argument is
 * the pool's id:
 *
 * - Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee,
 *   int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)
 * - Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96,
 *   uint128 liquidity, int24 tick, uint24 fee)
 * - ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper,
 *   int256 liquidityDelta, bytes32 salt)
 */
export const SINGLETON_EVENTS = {
  initialize: "0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438",
  swap: "0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f",
  modifyLiquidity: "0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec",
} as const satisfies Record<string, Hex>;
