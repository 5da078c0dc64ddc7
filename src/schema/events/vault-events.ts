import type { Hex } from "../../lib/hex.ts";

/**
 * Topics of the events of Balancer V2's Vault that change the balances of its pools. The first argument is
 * the pool's id, whose first 20 bytes are the pool's address:
 *
 * - PoolRegistered(bytes32 indexed poolId, address indexed poolAddress, uint8 specialization)
 * - PoolBalanceChanged(bytes32 indexed poolId, address indexed liquidityProvider, address[] tokens,
 *   int256[] deltas, uint256[] protocolFeeAmounts)
 * - Swap(bytes32 indexed poolId, address indexed tokenIn, address indexed tokenOut, uint256 amountIn,
 *   uint256 amountOut)
 * - PoolBalanceManaged(bytes32 indexed poolId, address indexed assetManager, address indexed token,
 *   int256 cashDelta, int256 managedDelta)
 */
export const VAULT_EVENTS = {
  registered: "0x3c13bc30b8e878c53fd2a36b679409c073afd75950be43d8858768e956fbc20e",
  changed: "0xe5ce249087ce04f05a957192435400fd97868dba0e6a4b4c049abf8af80dae78",
  swap: "0x2170c741c41531aec20e7c107c24eecfdd15e69c9bb0a8dd37b1840b9e0b207b",
  managed: "0x6edcaf6241105b4c94c2efdbf3a6b12458eb3d07be3a0e81d24b13c44045fe7a",
} as const satisfies Record<string, Hex>;

const TOPICS: ReadonlySet<Hex | null> = new Set(Object.values(VAULT_EVENTS));

/** Returns the pool that a log concerns; null if the log has none of these topics. */
export function vaultPoolOf({ topic_0, topic_1 }: { topic_0: Hex | null; topic_1: Hex | null }): Hex | null {
  return TOPICS.has(topic_0) && topic_1 !== null ? `0x${topic_1.slice(2, 42)}` : null;
}
