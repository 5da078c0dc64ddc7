import { keccak256 } from "../../lib/hash/keccak.ts";
import { fromBytes, type Hex, toBytes } from "../../lib/hex.ts";
import type { Transaction } from "../../schema/block.ts";
import { rlp } from "../verify/encoding.ts";

/** EIP-4844: gas of one blob. */
const GAS_PER_BLOB = 2n ** 17n;

/** Returns the fee for a number of blobs, given the price of blob gas. */
export function blobFee(blobs: number, price: bigint): bigint {
  return GAS_PER_BLOB * BigInt(blobs) * price;
}

/** The price that a transaction offers for gas. */
export interface GasOffer extends Pick<Transaction, "type" | "maxFeePerGas" | "maxPriorityFeePerGas"> {
  /** Null if the transaction gives maximum fees instead. */
  gasPrice: bigint | null;
}

/**
 * Returns the effective gas price of a transaction. With EIP-1559, it is the base fee plus the tip, limited
 * by the sender's maximum.
 */
export function effectiveGasPrice(offer: GasOffer, baseFee: bigint | null): bigint {
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = offer;
  if (maxFeePerGas === null || type < 2) return gasPrice ?? 0n;
  const wanted = (baseFee ?? 0n) + (maxPriorityFeePerGas ?? 0n);
  return wanted < maxFeePerGas ? wanted : maxFeePerGas;
}

/**
 * Returns the address that CREATE computes: the last 20 bytes of the keccak hash of sender and nonce.
 *
 * @param nonce big-endian, without leading zeros
 */
export function createdAddress(sender: Hex, nonce: Uint8Array): Hex {
  return fromBytes(keccak256(rlp([toBytes(sender), nonce])).subarray(12));
}
