import { BaseError } from "../../lib/error.ts";
import { type Hex, toBytes } from "../../lib/hex.ts";
import type { RpcTransaction } from "../wire/rpc-block.ts";
import { EMPTY, envelope, quantityBytes, type RlpItem, rlp } from "./encoding.ts";

/** Deposit of an OP-stack chain: https://specs.optimism.io/protocol/deposits.html */
export const DEPOSIT_TYPE = 0x7e;

/**
 * The bytes that the transactions root commits to; their keccak is the transaction's hash. Supports legacy,
 * EIP-2930, 1559, 4844 and 7702 transactions, and OP-stack deposits.
 *
 * @param chainId for typed transactions whose own chain id the endpoint omits
 * @throws UnsupportedTransactionType
 */
export function encodeTransaction(tx: RpcTransaction, chainId: number): Uint8Array {
  return envelope(tx.type, rlp(fieldsOf(tx, chainId)));
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
      throw new UnsupportedTransactionType(tx.type);
  }
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
  return [quantityBytes(tx.chainId ?? `0x${chainId.toString(16)}`), quantityBytes(tx.nonce)];
}

/** Gas limit, receiver, value and input: all signed transactions have these, in this order. */
function bodyOf(tx: RpcTransaction): RlpItem[] {
  return [quantityBytes(tx.gas), addressBytes(tx.to), quantityBytes(tx.value), toBytes(tx.input)];
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
  return tx.accessList.map((access) => [toBytes(access.address), access.storageKeys.map(toBytes)]);
}

function authorizationsOf(tx: RpcTransaction): RlpItem {
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

/** A transaction type whose encoding this version does not know. */
export class UnsupportedTransactionType extends BaseError {
  constructor(type: number) {
    super(
      "unsupported",
      `transaction type 0x${type.toString(16)} is not supported by this version of Quarry`,
    );
  }
}
