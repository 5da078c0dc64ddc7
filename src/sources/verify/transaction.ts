import { type Hex, toBytes, toQuantity } from "../../lib/hex.ts";
import type { RpcTransaction } from "../wire/rpc-block.ts";
import { ARBITRUM_CAPPED_TYPES, arbitrumFields } from "./arbitrum.ts";
import { EMPTY, quantityBytes, type RlpItem, rlp } from "./encoding.ts";
import { IncompleteTransaction, UnsupportedTransactionType } from "./unprovable.ts";

/** Type of a deposit on an OP-stack chain: https://specs.optimism.io/protocol/deposits.html */
export const DEPOSIT_TYPE = 0x7e;

/**
 * Returns the bytes that the transactions root commits to. Their keccak hash is the transaction's hash.
 * Supports legacy, EIP-2930, 1559, 4844 and 7702 transactions, OP-stack deposits, and the transactions of
 * Arbitrum Nitro.
 *
 * @param chainId used for typed transactions whose chain id the endpoint omits
 * @throws UnsupportedTransactionType, IncompleteTransaction
 */
export function encodeTransaction(tx: RpcTransaction, chainId: number): Uint8Array {
  return rlp(fieldsOf(tx, chainId), tx.type);
}

/** Types whose hash covers the fee cap and the tip: see `dynamicOf`. */
const DYNAMIC_TYPES: ReadonlySet<number> = new Set([2, 3, 4]);

/**
 * Returns the fee cap and the tip; null if the hash does not cover them. An endpoint may send them for
 * transactions of any type.
 */
export function hashedFees(
  tx: RpcTransaction,
): Pick<RpcTransaction, "maxFeePerGas" | "maxPriorityFeePerGas"> {
  const hasTip = DYNAMIC_TYPES.has(tx.type);
  return {
    maxFeePerGas: hasTip || ARBITRUM_CAPPED_TYPES.has(tx.type) ? tx.maxFeePerGas : null,
    maxPriorityFeePerGas: hasTip ? tx.maxPriorityFeePerGas : null,
  };
}

function fieldsOf(tx: RpcTransaction, chainId: number): RlpItem[] {
  switch (tx.type) {
    case 0:
      return [quantityBytes(tx.nonce), quantityBytes(tx.gasPrice), ...bodyOf(tx), ...signatureOf(tx, tx.v)];
    case 1:
      return [
        ...chainOf(tx, chainId),
        quantityBytes(tx.gasPrice),
        ...bodyOf(tx),
        accessOf(tx),
        ...typedSignatureOf(tx),
      ];
    case 2:
      return [...dynamicOf(tx, chainId), ...typedSignatureOf(tx)];
    case 3:
      return [
        ...dynamicOf(tx, chainId),
        quantityBytes(tx.maxFeePerBlobGas),
        tx.blobVersionedHashes.map(toBytes),
        ...typedSignatureOf(tx),
      ];
    case 4:
      return [...dynamicOf(tx, chainId), authorizationsOf(tx), ...typedSignatureOf(tx)];
    case DEPOSIT_TYPE:
      return depositOf(tx);
    default:
      return otherFieldsOf(tx, chainId);
  }
}

function otherFieldsOf(tx: RpcTransaction, chainId: number): RlpItem[] {
  const fields = arbitrumFields(tx, chainIdOf(tx, chainId));
  if (fields === null) throw new UnsupportedTransactionType(tx.type);
  return fields;
}

function depositOf(tx: RpcTransaction): RlpItem[] {
  return [
    toBytes(tx.sourceHash ?? "0x"),
    toBytes(tx.from),
    addressBytes(tx.to),
    quantityBytes(tx.mint),
    quantityBytes(tx.value),
    quantityBytes(tx.gas),
    tx.isSystemTx ? Uint8Array.of(1) : EMPTY,
    toBytes(tx.input),
  ];
}

function chainOf(tx: RpcTransaction, chainId: number): RlpItem[] {
  return [chainIdOf(tx, chainId), quantityBytes(tx.nonce)];
}

function chainIdOf(tx: RpcTransaction, chainId: number): Uint8Array {
  return quantityBytes(tx.chainId ?? toQuantity(chainId));
}

/** Returns the gas limit, receiver, value and input, which all signed transactions have in this order. */
function bodyOf(tx: RpcTransaction): RlpItem[] {
  return [quantityBytes(tx.gas), tx.to ?? EMPTY, quantityBytes(tx.value), tx.input];
}

function dynamicOf(tx: RpcTransaction, chainId: number): RlpItem[] {
  return [
    ...chainOf(tx, chainId),
    quantityBytes(tx.maxPriorityFeePerGas),
    quantityBytes(tx.maxFeePerGas),
    ...bodyOf(tx),
    accessOf(tx),
  ];
}

function accessOf(tx: RpcTransaction): RlpItem {
  return tx.accessList.map(({ address, storageKeys }) => [address, storageKeys]);
}

/** Encodes the authorizations. EIP-7702 forbids an empty list. */
function authorizationsOf(tx: RpcTransaction): RlpItem {
  if (tx.authorizationList.length === 0) throw new IncompleteTransaction(tx, "authorizationList");
  return tx.authorizationList.map((item) => [
    quantityBytes(item.chainId),
    toBytes(item.address),
    quantityBytes(item.nonce),
    quantityBytes(item.yParity),
    quantityBytes(item.r),
    quantityBytes(item.s),
  ]);
}

function typedSignatureOf(tx: RpcTransaction): RlpItem[] {
  return signatureOf(tx, tx.yParity ?? tx.v);
}

function signatureOf(tx: RpcTransaction, v: Hex | null): RlpItem[] {
  return [quantityBytes(v), quantityBytes(tx.r), quantityBytes(tx.s)];
}

function addressBytes(address: Hex | null): Uint8Array {
  return address === null ? EMPTY : toBytes(address);
}
