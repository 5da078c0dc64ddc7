import { RLP } from "@ethereumjs/rlp";
import { keccak256 } from "../../lib/hash/keccak.ts";
import type { Hex } from "../../lib/hex.ts";
import { EMPTY, envelope, keccakHex, quantityBytes, type RlpItem, rlp } from "../verify/encoding.ts";
import type { RpcTransaction } from "../wire/rpc-block.ts";
import { ADDRESS_BYTES, decodeRlp, MalformedRlp, RlpFields, WORD_BYTES } from "./rlp-fields.ts";
import { UnknownFormat } from "./unknown-format.ts";

/** A decoded transaction. Its sender can be recovered from the signature. */
export interface ArchivedTransaction {
  /** The bytes that the transactions root commits to. */
  encoded: Uint8Array;
  /** The hash that was signed. */
  signedHash: Uint8Array;
  /** Which of the two curve points with the signature's r was used: 0 or 1. */
  recoveryId: number;
  fields: Omit<RpcTransaction, "from">;
}

/** Positions of the fields in a typed transaction. A field without a position is null. */
interface Positions {
  count: number;
  gasPrice?: number;
  maxPriorityFeePerGas?: number;
  maxFeePerGas?: number;
  /** Position of the gas limit. The receiver, value and input follow it. */
  gas: number;
  accessList: number;
  maxFeePerBlobGas?: number;
  blobVersionedHashes?: number;
  authorizationList?: number;
}

/**
 * Transactions of EIP-2930, 1559, 4844 and 7702. All begin with the chain id and the nonce, and end with the
 * signature.
 */
const TYPED = new Map<number, Positions>([
  [1, { count: 11, gasPrice: 2, gas: 3, accessList: 7 }],
  [2, { count: 12, maxPriorityFeePerGas: 2, maxFeePerGas: 3, gas: 4, accessList: 8 }],
  [
    3,
    {
      ...{ count: 14, maxPriorityFeePerGas: 2, maxFeePerGas: 3, gas: 4, accessList: 8 },
      ...{ maxFeePerBlobGas: 9, blobVersionedHashes: 10 },
    },
  ],
  [4, { count: 13, maxPriorityFeePerGas: 2, maxFeePerGas: 3, gas: 4, accessList: 8, authorizationList: 9 }],
]);

const LEGACY_FIELDS = 9;
/** Maximum type of a typed transaction (EIP-2718). A legacy transaction is a list without a type. */
const MAX_TYPE = 0x7f;

/**
 * Decodes the bytes of a transaction that the transactions root commits to.
 *
 * @throws MalformedRlp, UnknownFormat
 */
export function decodeEncoded(encoded: Uint8Array, index: number): ArchivedTransaction {
  const isTyped = (encoded[0] ?? 0) <= MAX_TYPE;
  return decodeTransaction(isTyped ? encoded : RLP.decode(encoded), index);
}

/**
 * @param item an item of a block's body: a list for a legacy transaction, the envelope's bytes for a typed
 * one
 * @throws MalformedRlp, UnknownFormat
 */
export function decodeTransaction(item: RlpItem | undefined, index: number): ArchivedTransaction {
  const what = `transaction ${index}`;
  if (Array.isArray(item)) return legacyTransaction(item, what);
  const type = item?.[0];
  if (item === undefined || type === undefined || type > MAX_TYPE)
    throw new MalformedRlp(`${what} has no type`);
  const positions = TYPED.get(type);
  if (positions === undefined) throw new UnknownFormat(`transactions of type 0x${type.toString(16)}`);
  return typedTransaction(item, type, positions, what);
}

function legacyTransaction(items: RlpItem[], what: string): ArchivedTransaction {
  const tx = new RlpFields(items, what);
  tx.requireLength(LEGACY_FIELDS);
  const encoded = rlp(items);
  const { chainId, recoveryId } = legacySignature(BigInt(tx.quantity(6)), what);
  const protection = chainId === null ? [] : [quantityBytes(chainId), EMPTY, EMPTY];
  return {
    encoded,
    signedHash: keccak256(rlp([...items.slice(0, 6), ...protection])),
    recoveryId,
    fields: {
      ...commonFields(tx, { nonce: 0, gas: 2, signature: 6 }),
      hash: keccakHex(encoded),
      type: 0,
      chainId,
      gasPrice: tx.quantity(1),
      v: tx.quantity(6),
    },
  };
}

/**
 * Splits v of a signature into chain id and recovery id. EIP-155: v is 27 or 28, or twice the chain id plus
 * 35 or 36.
 */
function legacySignature(v: bigint, what: string): { chainId: Hex | null; recoveryId: number } {
  if (v === 27n || v === 28n) return { chainId: null, recoveryId: Number(v - 27n) };
  if (v < 35n) throw new MalformedRlp(`${what} has a signature with v = ${v}`);
  return { chainId: `0x${((v - 35n) >> 1n).toString(16)}`, recoveryId: Number((v - 35n) & 1n) };
}

function typedTransaction(
  encoded: Uint8Array,
  type: number,
  positions: Positions,
  what: string,
): ArchivedTransaction {
  const tx = decodeRlp(encoded.subarray(1), what);
  tx.requireLength(positions.count);
  const signature = positions.count - 3;
  const yParity = tx.quantity(signature);
  if (yParity !== "0x0" && yParity !== "0x1")
    throw new MalformedRlp(`${what} has a signature with parity ${yParity}`);
  const optional = (at: number | undefined) => (at === undefined ? null : tx.quantity(at));
  return {
    encoded,
    signedHash: keccak256(envelope(type, rlp(tx.items.slice(0, signature)))),
    recoveryId: Number(yParity),
    fields: {
      ...commonFields(tx, { nonce: 1, gas: positions.gas, signature }),
      hash: keccakHex(encoded),
      type,
      chainId: tx.quantity(0),
      gasPrice: optional(positions.gasPrice),
      maxPriorityFeePerGas: optional(positions.maxPriorityFeePerGas),
      maxFeePerGas: optional(positions.maxFeePerGas),
      maxFeePerBlobGas: optional(positions.maxFeePerBlobGas),
      ...listFields(tx, positions),
      yParity,
    },
  };
}

function commonFields(
  tx: RlpFields,
  at: { nonce: number; gas: number; signature: number },
): Omit<RpcTransaction, "from" | "hash" | "type" | "chainId"> {
  return {
    transactionIndex: null,
    nonce: tx.quantity(at.nonce),
    gas: tx.quantity(at.gas),
    to: tx.addressOrNull(at.gas + 1),
    value: tx.quantity(at.gas + 2),
    input: tx.bytes(at.gas + 3),
    r: tx.quantity(at.signature + 1),
    s: tx.quantity(at.signature + 2),
    gasPrice: null,
    maxFeePerGas: null,
    maxPriorityFeePerGas: null,
    maxFeePerBlobGas: null,
    accessList: [],
    blobVersionedHashes: [],
    authorizationList: [],
    v: null,
    yParity: null,
    sourceHash: null,
    mint: null,
    isSystemTx: false,
    arbitrum: null,
  };
}

function listFields(
  tx: RlpFields,
  { accessList, blobVersionedHashes, authorizationList }: Positions,
): Pick<RpcTransaction, "accessList" | "blobVersionedHashes" | "authorizationList"> {
  return {
    accessList: tx.map(accessList, "access", (access) => ({
      address: access.bytes(0, ADDRESS_BYTES),
      storageKeys: wordsOf(access.fields(1, "keys")),
    })),
    blobVersionedHashes:
      blobVersionedHashes === undefined ? [] : wordsOf(tx.fields(blobVersionedHashes, "blob hashes")),
    authorizationList:
      authorizationList === undefined ? [] : tx.map(authorizationList, "authorization", readAuthorization),
  };
}

export function wordsOf(words: RlpFields): Hex[] {
  return words.items.map((_, i) => words.bytes(i, WORD_BYTES));
}

function readAuthorization(item: RlpFields): RpcTransaction["authorizationList"][number] {
  item.requireLength(6);
  return {
    chainId: item.quantity(0),
    address: item.bytes(1, ADDRESS_BYTES),
    nonce: item.quantity(2),
    yParity: item.quantity(3),
    r: item.quantity(4),
    s: item.quantity(5),
  };
}
