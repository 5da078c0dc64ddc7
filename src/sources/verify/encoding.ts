import { RLP } from "@ethereumjs/rlp";
import { keccak256 } from "../../lib/hash/keccak.ts";
import { fromBytes, type Hex } from "../../lib/hex.ts";

/** RLP encodes byte strings and nested lists of them. */
export type RlpItem = Uint8Array | RlpItem[];

export const EMPTY = new Uint8Array(0);

export function rlp(item: RlpItem): Uint8Array {
  return RLP.encode(item);
}

export function keccakHex(bytes: Uint8Array): Hex {
  return fromBytes(keccak256(bytes));
}

/** Returns the bytes of a quantity, big-endian and without leading zeros. Zero and null are empty. */
export function quantityBytes(quantity: Hex | null): Uint8Array {
  if (quantity === null) return EMPTY;
  let start = 2;
  while (start < quantity.length && quantity.charCodeAt(start) === 0x30) start++;
  if (start === quantity.length) return EMPTY;
  const digits = quantity.slice(start);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
}

/** Returns an EIP-2718 envelope: the byte of the type, then the payload. Type 0 has no byte. */
export function envelope(type: number, payload: Uint8Array): Uint8Array {
  if (type === 0) return payload;
  const bytes = new Uint8Array(payload.length + 1);
  bytes[0] = type;
  bytes.set(payload, 1);
  return bytes;
}
