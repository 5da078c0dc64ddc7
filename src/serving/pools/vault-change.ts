import type { Hex } from "../../lib/hex.ts";
import type { RowOf } from "../../schema/tables.ts";

export interface VaultChange {
  token: Hex;
  change: bigint;
}

export type VaultLog = Pick<RowOf<"logs">, "topic_0" | "topic_2" | "topic_3" | "data">;

/**
 * The change of a log that cannot be read. These changes never add up to zero, and no pool has this token, so
 * the pool's balances are unknown from then on.
 */
export const UNREADABLE: VaultChange = { token: `0x${"0".repeat(40)}`, change: 1n };

export function signed(word = "0"): bigint {
  return BigInt.asIntN(256, BigInt(`0x${word}`));
}

export function addressOf(word: string | null | undefined): Hex | null {
  return word ? `0x${word.slice(-40)}` : null;
}
