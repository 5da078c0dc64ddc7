import type { Hex } from "../../lib/hex.ts";
import { keccak } from "../abi/keccak.ts";

/** Returns the address of a contract that `creator` creates by CREATE2 (EIP-1014). */
export function create2Address(creator: Hex, salt: Hex, initCodeHash: Hex): Hex {
  return addressOfHash(keccak(`0xff${creator.slice(2)}${salt.slice(2)}${initCodeHash.slice(2)}`));
}

/**
 * Returns the address of a contract that `creator` creates by CREATE with this nonce, which must be at least
 * 1. The address is the end of the hash of the RLP list of both (Ethereum yellow paper, section 7).
 */
export function createAddress(creator: Hex, nonce: number): Hex {
  const digits = nonce.toString(16);
  const bytes = digits.length % 2 === 0 ? digits : `0${digits}`;
  const encoded = nonce < 0x80 ? bytes : `${hexByte(0x80 + bytes.length / 2)}${bytes}`;
  const payload = `94${creator.slice(2)}${encoded}`;
  return addressOfHash(keccak(`0x${hexByte(0xc0 + payload.length / 2)}${payload}`));
}

function hexByte(value: number): string {
  return value.toString(16).padStart(2, "0");
}

function addressOfHash(hash: Hex): Hex {
  return `0x${hash.slice(26)}`;
}
