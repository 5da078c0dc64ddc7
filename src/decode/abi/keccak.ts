import { keccak_256 } from "@noble/hashes/sha3";
import { fromBytes, type Hex, toBytes } from "../../lib/hex.ts";

/** The keccak-256 hash of some bytes. */
export function keccak(bytes: Hex): Hex {
  return fromBytes(keccak_256(toBytes(bytes)));
}
