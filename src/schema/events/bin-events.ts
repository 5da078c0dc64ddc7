import type { Hex } from "../../lib/hex.ts";

/**
 * Topics of the events that report what the pools of PancakeSwap Infinity's BinPoolManager receive and pay.
 * The first argument is the pool's id. An amount of type `bytes32` is a pair of integers of 16 bytes: that of
 * currency1, then that of currency0.
 *
 * - Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, address hooks,
 *   uint24 fee, bytes32 parameters, uint24 activeId)
 * - Mint(bytes32 indexed id, address indexed sender, uint256[] ids, bytes32 salt, bytes32[] amounts,
 *   bytes32 compositionFeeAmount, bytes32 feeAmountToProtocol)
 * - Burn(bytes32 indexed id, address indexed sender, uint256[] ids, bytes32 salt, bytes32[] amounts)
 * - Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint24 activeId,
 *   uint24 fee, uint16 protocolFee)
 * - Donate(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint24 binId)
 */
export const BIN_EVENTS = {
  initialized: "0xddfde5903015c0eb1671976c6c8f760f1328bec57f15286b6bdab2f955cab9c9",
  minted: "0x7b6bc49b385af8644341f07a67cd976bf9daf2bdd5d71668e651a3a792e318e1",
  burned: "0x16d40aa4e497175b58e47cbf101544758de8c01d92a760c738943044c758df8a",
  swap: "0x3e8aae37f890eb1f9d63dd4d2062f3f0be757848a0f0760e4f3e53dad556e861",
  donated: "0xfc18146d5586318640b3febea90b094b834f09982812258534a1c07bdda12954",
} as const satisfies Record<string, Hex>;
