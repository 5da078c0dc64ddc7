import type { ChainStatus } from "@quarry/sdk";
import { formatCount } from "../../format/number.ts";
import { isKept, notKeptText, prunedUntil } from "../../queries/chain/stored-rows.ts";

type ChainRange = Pick<ChainStatus, "chain" | "first_block" | "indexed_block" | "keep" | "raw_first_block">;

/** Says where a transaction was not found, and why. */
export function missingTransactionText(status: ChainRange): string {
  const { chain, first_block, indexed_block } = status;
  if (first_block === null || indexed_block === null) return `No block of ${chain} is indexed yet.`;
  const range = `blocks ${formatCount(first_block)} to ${formatCount(indexed_block)} of ${chain}`;
  if (!isKept(status, "transactions")) {
    return `${notKeptText(status, "transactions")} It has no trade with this hash in ${range}.`;
  }
  const first = prunedUntil(status) ?? first_block;
  const reasons = "It may be pending, in a block that is not indexed, or removed by a reorg.";
  const none = `No transaction with this hash in blocks ${formatCount(first)} to ${formatCount(indexed_block)} of ${chain}.`;
  if (first === first_block) return `${none} ${reasons}`;
  return `${none} Transactions in earlier blocks were pruned, and no trade in those blocks has this hash. ${reasons}`;
}
