import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import { DEPOSIT_TOPIC, WITHDRAWAL_TOPIC } from "../../schema/events/wrapping-events.ts";
import { addressOf, isWords, uintAt } from "../abi/abi.ts";

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
