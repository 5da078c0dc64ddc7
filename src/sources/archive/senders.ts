import secp256k1 from "secp256k1";
import { BaseError } from "../../lib/error.ts";
import { keccak256 } from "../../lib/hash/keccak.ts";
import { fromBytes, type Hex } from "../../lib/hex.ts";
import type { ArchivedTransaction, Signature } from "./archived-transaction.ts";
import { ADDRESS_BYTES, WORD_BYTES } from "./rlp-list.ts";

/**
 * Recovers the senders of transactions from their signatures. This takes about as much time as all other
 * checks of a block together.
 *
 * @throws InvalidSignature
 */
export function recoverSenders(transactions: readonly ArchivedTransaction[]): Hex[] {
  return transactions.map(({ signature }, i) => {
    const key = publicKey(signature);
    if (key === null) throw new InvalidSignature(i);
    // The last 20 bytes of the hash of the public key, without its leading format byte (Yellow Paper,
    // appendix F).
    return fromBytes(keccak256(key.subarray(1)).subarray(WORD_BYTES - ADDRESS_BYTES));
  });
}

/** Returns null if no key could have made the signature. */
function publicKey({ compact, recoveryId, hash }: Signature): Uint8Array | null {
  try {
    return secp256k1.ecdsaRecover(compact, recoveryId, hash, false);
  } catch {
    return null;
  }
}

/** The message names only the transaction. Callers add the file and the block. */
class InvalidSignature extends BaseError {
  constructor(transaction: number) {
    super("verification", `transaction ${transaction} has an invalid signature`);
  }
}
