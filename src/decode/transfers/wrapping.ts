import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import { addressOf, isWords, uintAt } from "../abi/abi.ts";

/** Deposit(address,uint256) of WETH9. */
const DEPOSIT_TOPIC: Hex = "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c";
/** Withdrawal(address,uint256) of WETH9. */
const WITHDRAWAL_TOPIC: Hex = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65";

/** Native coins that a wallet wrapped, in wei. The amount is negative if the wallet unwrapped them. */
export interface Wrapping {
  wallet: Hex;
  amount: bigint;
}

/**
 * Reads a Deposit or Withdrawal of a wrapped native coin, which mints or burns without a Transfer. Returns
 * null for other logs.
 */
export function decodeWrapping({ topics, data }: Log): Wrapping | null {
  const [topic] = topics;
  if (topic !== DEPOSIT_TOPIC && topic !== WITHDRAWAL_TOPIC) return null;
  const wallet = addressOf(topics[1]);
  if (wallet === null || topics.length !== 2 || !isWords(data, 1)) return null;
  const amount = uintAt(data, 0);
  return { wallet, amount: topic === DEPOSIT_TOPIC ? amount : -amount };
}
