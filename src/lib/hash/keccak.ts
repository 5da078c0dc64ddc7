import { createKeccak } from "hash-wasm";

/**
 * WebAssembly: hashing is nearly all of the cost of verification and of proofs by keys, and this is 12 times
 * as fast as JavaScript.
 */
const hasher = await createKeccak(256);

/** The keccak-256 hash of some bytes. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return hasher.init().update(bytes).digest("binary");
}
