import { type Hex, ZERO_ADDRESS } from "../../../lib/hex.ts";
import type { RowOf } from "../../../schema/tables.ts";

export interface VaultChange {
  token: Hex;
  change: bigint;
}

export type VaultLog = Pick<RowOf<"logs">, "topic_0" | "topic_2" | "topic_3" | "data">;

/**
 * The change of a log that cannot be read. These changes never add up to zero, and no pool has this token, so
 * the pool's balances are unknown from then on.
 */
export const UNREADABLE: VaultChange = { token: ZERO_ADDRESS, change: 1n };

export function signed(word = "0"): bigint {
  return BigInt.asIntN(256, BigInt(`0x${word}`));
}

export function addressOf(word: string | null | undefined): Hex | null {
  return word ? `0x${word.slice(-40)}` : null;
}

/** The leading bytes of the placeholders that `placeOf` returns. */
export const PLACE_PREFIX: Hex = `0x${"0".repeat(36)}`;

/**
 * Returns a placeholder for the token at an index of a pool with this number of tokens. It equals no token's
 * address, because no one can create a contract at so low an address.
 */
export function placeOf(count: number, index: number): Hex {
  return `${PLACE_PREFIX}${byteText(count)}${byteText(index)}`;
}

function byteText(value: number): string {
  return value.toString(16).padStart(2, "0");
}
