import secp256k1 from "secp256k1";
import { BaseError } from "../../lib/error.ts";
import { keccak256 } from "../../lib/hash/keccak.ts";
import { fromBytes, type Hex } from "../../lib/hex.ts";
import { quantityBytes } from "../verify/encoding.ts";
import type { ArchivedTransaction } from "./archived-transaction.ts";
import { ADDRESS_BYTES, WORD_BYTES } from "./rlp-fields.ts";

/**
 * Recovers the senders of transactions from their signatures. That takes more time than all other proofs of a
 * block together.
 *
 * @throws InvalidSignature
 */
export function recoverSenders(transactions: readonly ArchivedTransaction[]): Hex[] {
  return transactions.map((transaction, i) => {
    const key = publicKey(transaction);
    if (key === null) throw new InvalidSignature(i);
    // The last 20 bytes of the hash of the key, without the byte of its form (Yellow Paper, appendix F).
    return fromBytes(keccak256(key.subarray(1)).subarray(WORD_BYTES - ADDRESS_BYTES));
  });
}

/** Returns null if no key can have made the signature. */
function publicKey({ signedHash, recoveryId, fields }: ArchivedTransaction): Uint8Array | null {
  const signature = new Uint8Array(2 * WORD_BYTES);
  const [r, s] = [quantityBytes(fields.r), quantityBytes(fields.s)];
  signature.set(r, WORD_BYTES - r.length);
  signature.set(s, 2 * WORD_BYTES - s.length);
  try {
    return secp256k1.ecdsaRecover(signature, recoveryId, signedHash, false);
  } catch {
    return null;
  }
}

/** The message names the transaction. The reader of the file adds the file and the block. */
class InvalidSignature extends BaseError {
  constructor(transaction: number) {
    super("verification", `transaction ${transaction} has an invalid signature`);
  }
}
