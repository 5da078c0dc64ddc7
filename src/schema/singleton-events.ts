import type { Hex } from "../lib/hex.ts";

/**
 * Topics of the events that report the state of a singleton's pools. The first argument is the pool's id. The
 * events of Uniswap V4's PoolManager are:
 *
 * - Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee,
 *   int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)
 * - Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96,
 *   uint128 liquidity, int24 tick, uint24 fee)
 * - ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper,
 *   int256 liquidityDelta, bytes32 salt)
 *
 * PancakeSwap Infinity's CLPoolManager has the same ModifyLiquidity. The words of its other events, up to the
 * price, have the same meaning:
 *
 * - Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, address hooks,
 *   uint24 fee, bytes32 parameters, uint160 sqrtPriceX96, int24 tick)
 * - Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96,
 *   uint128 liquidity, int24 tick, uint24 fee, uint16 protocolFee)
 */
export const SINGLETON_EVENTS = {
  initialize: "0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438",
  swap: "0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f",
  modifyLiquidity: "0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec",
  infinityInitialize: "0x426cc62fe6a33a40ba2788c2c87a9c34ee4582b95bc9fa5a7bb7ae70b750b99c",
  infinitySwap: "0x04206ad2b7c0f463bff3dd4f33c5735b0f2957a351e4f79763a4fa9e775dd237",
} as const satisfies Record<string, Hex>;

/**
 * Index of the word in the data that holds the square root of the pool's new price, by the topic of the
 * event.
 */
export const PRICE_WORDS: ReadonlyMap<Hex, number> = new Map([
  [SINGLETON_EVENTS.initialize, 3],
  [SINGLETON_EVENTS.swap, 2],
  [SINGLETON_EVENTS.infinityInitialize, 3],
  [SINGLETON_EVENTS.infinitySwap, 2],
]);
