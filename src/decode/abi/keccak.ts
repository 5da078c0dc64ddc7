import { keccak256 } from "../../lib/hash/keccak.ts";
import { fromBytes, type Hex, toBytes } from "../../lib/hex.ts";

/** Returns the keccak-256 hash of some bytes. */
export function keccak(bytes: Hex): Hex {
  return fromBytes(keccak256(toBytes(bytes)));
}
