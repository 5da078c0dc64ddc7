import type { Hex } from "../../lib/hex.ts";
import type { RowOf } from "../tables.ts";

/** Bytes of a swap: locker (20), pool id (32), changes in the pool's two balances (16 each), state (32). */
export const EKUBO_SWAP_BYTES = 116;

/**
 * Topics of the events that report what the pools of Ekubo's Core receive and pay, except swaps, which are
 * logs without topics:
 *
 * - PoolInitialized(bytes32 poolId, (address, address, bytes32) poolKey, int32 tick, uint96 sqrtRatio)
 * - PositionUpdated(address locker, bytes32 poolId, bytes32 positionId, int128 liquidityDelta,
 *   bytes32 balanceUpdate, bytes32 stateAfter), with the changes in both balances in 16 bytes each
 * - PositionFeesCollected(address locker, bytes32 poolId, bytes32 positionId, uint128 amount0,
 *   uint128 amount1)
 * - FeesAccumulated(bytes32 poolId, uint128 amount0, uint128 amount1)
 *
 * Version 2 has another event, whose amounts do not show the fee that the protocol keeps from a withdrawal:
 *
 * - PositionUpdated(address locker, bytes32 poolId, (bytes32, (int32, int32), int128) params, int128 delta0,
 *   int128 delta1)
 */
export const EKUBO_EVENTS = {
  initialized: "0x5e4688b340694b7c7fd30047fd082117dc46e32acfbf81a44bb1fac0ae65154d",
  positionUpdated: "0x704b3ab4a76158ad4d66625a2a43be81edbffd24630e8fde5174e97035370a07",
  feesCollected: "0xd76ec32fbc3f07c70828b4f94343ee73279d0e8d4d2f28b018a4e67f37497753",
  feesAccumulated: "0xf7e050d866774820d81a86ca676f3afe7bc72603ee893f82e99c08fbde39af6c",
  positionUpdatedV2: "0xa2d4008be4187c63684f323788e131e1370dbc2205499befe2834005a00c792c",
} as const satisfies Record<string, Hex>;

/** Index of the word of the data that holds the pool's id, by event. */
export const EKUBO_ID_WORDS: Record<keyof typeof EKUBO_EVENTS, 0 | 1> = {
  initialized: 0,
  positionUpdated: 1,
  feesCollected: 1,
  feesAccumulated: 0,
  positionUpdatedV2: 1,
};

const WORD_OF_TOPIC = new Map<Hex | null, 0 | 1>(
  (Object.keys(EKUBO_EVENTS) as (keyof typeof EKUBO_EVENTS)[]).map((name) => [
    EKUBO_EVENTS[name],
    EKUBO_ID_WORDS[name],
  ]),
);

/** Returns the pool that a log concerns if it has the form of one of these events; otherwise null. */
export function ekuboPoolOf({ topic_0, data }: Pick<RowOf<"logs">, "topic_0" | "data">): Hex | null {
  const word = WORD_OF_TOPIC.get(topic_0);
  const isSwap = topic_0 === null && data.length === 2 + 2 * EKUBO_SWAP_BYTES;
  if (word === undefined && !isSwap) return null;
  const byte = isSwap ? 20 : 32 * (word ?? 0);
  const id = data.slice(2 + 2 * byte, 2 + 2 * (byte + 32));
  return id.length === 64 ? `0x${id}` : null;
}
