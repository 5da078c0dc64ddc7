import { keccak256 } from "../../lib/hash/keccak.ts";
import { type Hex, toQuantity } from "../../lib/hex.ts";
import { EMPTY, envelope, keccakHex, quantityBytes, rlp, rlpOfEncoded } from "../verify/encoding.ts";
import { MalformedRlp, RlpList, WORD_BYTES } from "./rlp-list.ts";
import { UnknownFormat } from "./unknown-format.ts";

/** A decoded transaction. Its sender can be recovered from the signature. */
export interface ArchivedTransaction {
  /** The bytes that the transactions root commits to. */
  encoded: Uint8Array;
  hash: Hex;
  signature: Signature;
  type: number;
  /** Null for legacy transactions without EIP-155. */
  chainId: bigint | null;
  nonce: number;
  gasLimit: bigint;
  /** Null if the transaction creates a contract. */
  to: Hex | null;
  value: bigint;
  input: Hex;
  gasPrice: bigint | null;
  maxFeePerGas: bigint | null;
  maxPriorityFeePerGas: bigint | null;
  blobs: number;
}

export interface Signature {
  /** The hash that was signed. */
  hash: Uint8Array;
  /** r and s, 32 bytes each. */
  compact: Uint8Array;
  /** Which of the two curve points with the signature's r was used: 0 or 1. */
  recoveryId: number;
}

/** Positions of the fields in a typed transaction; absent for fields that the type does not have. */
interface Positions {
  /** Number of fields, including those without a position here. */
  count: number;
  gasPrice?: number;
  maxPriorityFeePerGas?: number;
  maxFeePerGas?: number;
  /** Position of the gas limit. The receiver, value and input follow it. */
  gas: number;
  blobVersionedHashes?: number;
}

/**
 * Field positions by transaction type: EIP-2930, 1559, 4844 and 7702. Transactions of each type begin with
 * the chain id and the nonce, and end with the signature.
 */
const TYPED = new Map<number, Positions>([
  [1, { count: 11, gasPrice: 2, gas: 3 }],
  [2, { count: 12, maxPriorityFeePerGas: 2, maxFeePerGas: 3, gas: 4 }],
  [3, { count: 14, maxPriorityFeePerGas: 2, maxFeePerGas: 3, gas: 4, blobVersionedHashes: 10 }],
  [4, { count: 13, maxPriorityFeePerGas: 2, maxFeePerGas: 3, gas: 4 }],
]);

const LEGACY_FIELDS = 9;
/** Position of the first field of a legacy transaction's signature: v. */
const LEGACY_V = 6;
/**
 * Maximum type of a typed transaction (EIP-2718). A legacy transaction has no type: it is an RLP list, whose
 * first byte is larger.
 */
const MAX_TYPE = 0x7f;

/**
 * Decodes a transaction.
 *
 * @param encoded the bytes that the transactions root commits to
 * @throws MalformedRlp, UnknownFormat
 */
export function decodeTransaction(encoded: Uint8Array, index: number): ArchivedTransaction {
  const name = `transaction ${index}`;
  const [type] = encoded;
  if (type === undefined) throw new MalformedRlp(`${name} is empty`);
  if (type > MAX_TYPE) return legacyTransaction(encoded, name);
  const positions = TYPED.get(type);
  if (positions === undefined) throw new UnknownFormat(`transactions of type 0x${type.toString(16)}`);
  return typedTransaction(encoded, type, positions, name);
}

function legacyTransaction(encoded: Uint8Array, name: string): ArchivedTransaction {
  const tx = RlpList.decode(encoded, name);
  tx.requireLength(LEGACY_FIELDS);
  const { chainId, recoveryId } = legacySignature(tx);
  const protection = chainId === null ? EMPTY : protectionOf(chainId);
  const signed = rlpOfEncoded([tx.encodings(0, LEGACY_V - 1), protection]);
  return {
    encoded,
    hash: keccakHex(encoded),
    signature: { hash: keccak256(signed), compact: compactSignature(tx, LEGACY_V), recoveryId },
    type: 0,
    chainId,
    nonce: tx.integer(0),
    gasPrice: tx.bigint(1),
    maxFeePerGas: null,
    maxPriorityFeePerGas: null,
    blobs: 0,
    ...callOf(tx, 2),
  };
}

/**
 * Derives the chain id and the recovery id from the v of a signature. v is 27 or 28 or, with EIP-155, twice
 * the chain id plus 35 or 36.
 */
function legacySignature(tx: RlpList): { chainId: bigint | null; recoveryId: number } {
  const v = tx.bigint(LEGACY_V);
  if (v === 27n || v === 28n) return { chainId: null, recoveryId: Number(v - 27n) };
  if (v < 35n) throw tx.malformed(`has a signature with v = ${v}`);
  return { chainId: (v - 35n) >> 1n, recoveryId: Number((v - 35n) & 1n) };
}

/** Returns the fields that EIP-155 adds to the signed ones: the chain id and two empty fields. */
function protectionOf(chainId: bigint): Uint8Array {
  return Buffer.concat([rlp(quantityBytes(toQuantity(chainId))), rlp(EMPTY), rlp(EMPTY)]);
}

function typedTransaction(
  encoded: Uint8Array,
  type: number,
  positions: Positions,
  name: string,
): ArchivedTransaction {
  const tx = RlpList.decode(encoded.subarray(1), name);
  tx.requireLength(positions.count);
  const yParity = positions.count - 3;
  const recoveryId = tx.bigint(yParity);
  if (recoveryId > 1n) throw tx.malformed(`has a signature with parity ${recoveryId}`);
  const signed = envelope(type, rlpOfEncoded([tx.encodings(0, yParity - 1)]));
  const optional = (at: number | undefined) => (at === undefined ? null : tx.bigint(at));
  const { blobVersionedHashes: blobs } = positions;
  return {
    encoded,
    hash: keccakHex(encoded),
    signature: {
      hash: keccak256(signed),
      compact: compactSignature(tx, yParity),
      recoveryId: Number(recoveryId),
    },
    type,
    chainId: tx.bigint(0),
    nonce: tx.integer(1),
    gasPrice: optional(positions.gasPrice),
    maxFeePerGas: optional(positions.maxFeePerGas),
    maxPriorityFeePerGas: optional(positions.maxPriorityFeePerGas),
    blobs: blobs === undefined ? 0 : tx.list(blobs, "blob hashes").length,
    ...callOf(tx, positions.gas),
  };
}

/** @param gas position of the gas limit; the receiver, value and input follow it */
function callOf(tx: RlpList, gas: number): Pick<ArchivedTransaction, "gasLimit" | "to" | "value" | "input"> {
  return {
    gasLimit: tx.uint64(gas),
    to: tx.addressOrNull(gas + 1),
    value: tx.bigint(gas + 2),
    input: tx.hex(gas + 3),
  };
}

/** @param at position of v or of the parity; r and s follow it */
function compactSignature(tx: RlpList, at: number): Uint8Array {
  const signature = new Uint8Array(2 * WORD_BYTES);
  for (const part of [1, 2]) {
    const bytes = tx.bytes(at + part);
    if (bytes.length > WORD_BYTES) throw tx.malformed("has a signature part longer than 256 bits");
    signature.set(bytes, part * WORD_BYTES - bytes.length);
  }
  return signature;
}
