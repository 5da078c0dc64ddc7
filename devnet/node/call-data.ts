import { keccak_256 } from "@noble/hashes/sha3";
import { fromBytes, type Hex } from "../../src/lib/hex.ts";

type Word = bigint | number | Hex;
type Argument = Word | Word[] | { text: string };

const selectors = new Map<string, string>();

export function keccak(hex: Hex): Hex {
  return fromBytes(keccak_256(Buffer.from(hex.slice(2), "hex")));
}

export function keccakText(text: string): Hex {
  return fromBytes(keccak_256(Buffer.from(text, "utf8")));
}

/** Returns 32 bytes as hex digits without `0x`. Negative numbers are in two's complement. */
export function word(value: Word): string {
  if (typeof value === "string") return value.slice(2).toLowerCase().padStart(64, "0");
  return BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
}

/**
 * Encodes the call of a function whose parameters are single words, arrays of words or strings (Solidity
 * ABI).
 */
export function encodeCall(signature: string, ...parameters: Argument[]): Hex {
  let tail = "";
  const head = parameters.map((parameter) => {
    if (typeof parameter !== "object") return word(parameter);
    const offset = 32 * parameters.length + tail.length / 2;
    tail += Array.isArray(parameter)
      ? word(parameter.length) + parameter.map(word).join("")
      : textWords(parameter.text);
    return word(offset);
  });
  return `0x${selector(signature)}${head.join("")}${tail}`;
}

/** Encodes a string: its length in bytes, then the bytes, padded to whole words. */
function textWords(text: string): string {
  const bytes = Buffer.from(text).toString("hex");
  return word(bytes.length / 2) + bytes.padEnd(64 * Math.ceil(bytes.length / 64), "0");
}

function selector(signature: string): string {
  const known = selectors.get(signature);
  if (known !== undefined) return known;
  const computed = keccakText(signature).slice(2, 10);
  selectors.set(signature, computed);
  return computed;
}

/** Returns the address of a contract that `creator` creates by CREATE2 (EIP-1014). */
export function create2Address(creator: Hex, salt: Hex, initCodeHash: Hex): Hex {
  return `0x${keccak(`0xff${creator.slice(2)}${salt.slice(2)}${initCodeHash.slice(2)}`).slice(-40)}`;
}

/**
 * Returns the address of a contract that `creator` creates by CREATE with a nonce below 128. The address is
 * the last 20 bytes of the hash of the RLP list of creator and nonce (Ethereum yellow paper, section 7).
 */
export function createAddress(creator: Hex, nonce: number): Hex {
  const encoded = nonce === 0 ? "80" : nonce.toString(16).padStart(2, "0");
  return `0x${keccak(`0xd694${creator.slice(2)}${encoded}`).slice(-40)}`;
}
