import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import { decodeTransaction } from "../archive/archived-transaction.ts";
import { recoverSenders } from "../archive/senders.ts";
import { encodeTransaction } from "../verify/transaction.ts";
import type { Problem } from "../verify/verify-block.ts";
import type { RpcBlock, RpcTransaction } from "../wire/rpc-block.ts";

/** Types of transactions that an account signs: legacy ones, and EIP-2930, 1559, 4844 and 7702. */
const SIGNED_TYPES = new Set([0, 1, 2, 3, 4]);

/**
 * Compares the sender of each transaction with its signature. No root and no hash of a signed transaction
 * covers the sender, so an endpoint could otherwise attribute a wallet's trades to another wallet. The
 * transactions must be verified.
 */
export function verifySenders({ transactions }: RpcBlock, chainId: number): Problem | null {
  const at = transactions.findIndex((tx) => isSigned(tx) && tx.from !== senderOf(tx, chainId));
  if (at < 0) return null;
  return { kind: "invalid", message: `transaction ${at}: sender ${transactions[at]?.from} did not sign it` };
}

/**
 * Transactions of the protocol itself, such as Polygon's state sync and, before Bedrock, Optimism's deposits,
 * have no signature. A transaction's hash covers its signature, so an endpoint cannot remove one.
 */
function isSigned({ type, r, s }: RpcTransaction): boolean {
  return SIGNED_TYPES.has(type) && !(isZero(r) && isZero(s));
}

function isZero(quantity: Hex | null): boolean {
  return quantity === null || BigInt(quantity) === 0n;
}

/** Returns the account that signed a transaction; null if no account can have made the signature. */
function senderOf(tx: RpcTransaction, chainId: number): Hex | null {
  try {
    const [sender] = recoverSenders([decodeTransaction(encodeTransaction(tx, chainId), 0)]);
    return sender ?? null;
  } catch (error) {
    if (error instanceof BaseError) return null;
    throw error;
  }
}
