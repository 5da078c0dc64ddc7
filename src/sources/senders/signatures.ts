import { keccak256 } from "../../lib/hash/keccak.ts";

const HASH_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** Size of a packed signature: signed hash, r, s and recovery id. */
export const SIGNED_BYTES = HASH_BYTES + SIGNATURE_BYTES + 1;
export const ADDRESS_BYTES = 20;

/** Returns the public key that made a signature: the byte 4, then 64 bytes. Throws if there is none. */
export type RecoverKey = (signature: Uint8Array, recoveryId: number, hash: Uint8Array) => Uint8Array;

export interface Signed {
  hash: Uint8Array;
  /** Each up to 32 bytes, without leading zeros. */
  r: Uint8Array;
  s: Uint8Array;
  recoveryId: number;
}

/** Packs signatures into one buffer, which a thread can transfer to another. */
export function packSignatures(signatures: readonly Signed[]): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(signatures.length * SIGNED_BYTES);
  signatures.forEach(({ hash, r, s, recoveryId }, i) => {
    const start = i * SIGNED_BYTES;
    packed.set(hash, start);
    packed.set(r, start + 2 * HASH_BYTES - r.length);
    packed.set(s, start + 3 * HASH_BYTES - s.length);
    packed[start + SIGNED_BYTES - 1] = recoveryId;
  });
  return packed;
}

/**
 * Returns the addresses that made packed signatures, 20 bytes each, or the position of the first invalid
 * signature.
 */
export function recoverSenders(
  packed: Uint8Array,
  recoverKey: RecoverKey,
): { senders: Uint8Array<ArrayBuffer> } | { invalid: number } {
  const count = packed.length / SIGNED_BYTES;
  const senders = new Uint8Array(count * ADDRESS_BYTES);
  for (let i = 0; i < count; i++) {
    const signed = packed.subarray(i * SIGNED_BYTES, (i + 1) * SIGNED_BYTES);
    const sender = senderOf(signed, recoverKey);
    if (sender === null) return { invalid: i };
    senders.set(sender, i * ADDRESS_BYTES);
  }
  return { senders };
}

/**
 * Returns the last 20 bytes of the key's hash (Yellow Paper, appendix F); null if the signature is invalid.
 */
function senderOf(signed: Uint8Array, recoverKey: RecoverKey): Uint8Array | null {
  const hash = signed.subarray(0, HASH_BYTES);
  const signature = signed.subarray(HASH_BYTES, HASH_BYTES + SIGNATURE_BYTES);
  try {
    const key = recoverKey(signature, signed[SIGNED_BYTES - 1] ?? 0, hash);
    return keccak256(key.subarray(1)).subarray(HASH_BYTES - ADDRESS_BYTES);
  } catch {
    return null;
  }
}
