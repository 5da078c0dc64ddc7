import type { Block } from "../../schema/block.ts";
import { toBlock } from "../conversion/convert.ts";
import { RpcFormatError } from "../rpc/field-reader.ts";
import { type Problem, verifyBlock, withProvenStatuses } from "../verify/verify-block.ts";
import { parseBlock, parseReceipts } from "../wire/parse.ts";
import type { RawBlock } from "../wire/raw-block.ts";
import { verifySenders } from "./verify-senders.ts";

export interface Verification {
  chainId: number;
  /** If false, only the format of a block is checked. */
  verify: boolean;
  /** Whether the senders of verified transactions are compared with their signatures. */
  senders: boolean;
}

/** Parses, verifies and converts a block from an endpoint. */
export function proveRaw(
  { number, block, receipts }: RawBlock,
  { chainId, verify, senders }: Verification,
): { block: Block } | Problem {
  if (block === null) return { kind: "inconsistent", message: "the endpoint does not have this block yet" };
  if (receipts === null && hasTransactions(block))
    return { kind: "inconsistent", message: "the endpoint does not have its receipts yet" };
  try {
    const parsed = parseBlock(block, number);
    const parsedReceipts = parseReceipts(receipts ?? [], number);
    if (!verify) return { block: toBlock(parsed, parsedReceipts, "given") };
    const problem =
      verifyBlock(parsed, parsedReceipts, chainId) ?? (senders ? verifySenders(parsed, chainId) : null);
    return (
      problem ?? { block: toBlock(parsed, withProvenStatuses(parsed, parsedReceipts, chainId), "proven") }
    );
  } catch (error) {
    if (!(error instanceof RpcFormatError)) throw error;
    return { kind: "invalid", message: error.message };
  }
}

/**
 * Returns whether a block has transactions. Some nodes return null for the receipts of a block that has none,
 * such as the genesis block.
 */
function hasTransactions(block: unknown): boolean {
  const { transactions } = block as { transactions?: unknown };
  return !Array.isArray(transactions) || transactions.length > 0;
}
