import { toQuantity } from "../../../lib/hex.ts";
import { keccakHex } from "../../verify/encoding.ts";
import { encodeTransaction } from "../../verify/transaction.ts";
import type { TableTransaction } from "../block/table-block.ts";

/** Newest transaction type whose encoding is complete in these files, except for the access list. */
const MAX_ENCODABLE_TYPE = 2;
/**
 * Without EIP-155, v of a legacy transaction is the parity plus this. With EIP-155, v is the parity plus 35
 * plus twice the chain id.
 */
const OLD_V = 27;

/**
 * Checks that a transaction's hash matches its content, and returns its encoding. Returns null if the files
 * lack part of the content: the signature, the access list, the blobs or the authorizations.
 *
 * @throws InvalidFile if the content is complete but has another hash
 */
export function provenEncoding(transaction: TableTransaction, chainId: number): Uint8Array | null {
  if (transaction.own === null) return null;
  const { fields, parity, lacksValue, encodedBytes } = transaction.own;
  if (fields.r === null || fields.s === null || parity === null || lacksValue) return null;
  if (fields.type > MAX_ENCODABLE_TYPE) return null;
  const candidates =
    fields.type === 0
      ? [2 * chainId + 35 + parity, OLD_V + parity].map((v) => ({ ...fields, v: toQuantity(v) }))
      : [{ ...fields, yParity: toQuantity(parity), chainId: toQuantity(chainId) }];
  let longest = 0;
  for (const candidate of candidates) {
    const encoded = encodeTransaction(candidate, chainId);
    if (keccakHex(encoded) === fields.hash) return encoded;
    longest = Math.max(longest, encoded.length);
  }
  // A longer encoding has an access list.
  const hasAccessList = fields.type > 0 && (encodedBytes === null || encodedBytes > longest);
  if (hasAccessList) return null;
  throw transaction.invalid(`the hash ${fields.hash} of the transaction does not match its content`);
}
