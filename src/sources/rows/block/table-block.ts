import type { Hex } from "../../../lib/hex.ts";
import { InvalidFile } from "../../e2store/invalid-file.ts";
import type { RpcReceipt, RpcTransaction } from "../../wire/rpc-block.ts";

/** A block as read from the rows of files. Only the format of its values has been checked. */
export interface TableBlock {
  header: TableHeader;
  transactions: TableTransaction[];
  /** Names of the files that have the rows of the block, by kind. */
  files: RowFiles;
  /** Returns an error about the block, which names the file of its header. */
  invalid(problem: string): InvalidFile;
}

export interface RowFiles {
  transactions: readonly string[];
  receipts: readonly string[];
  logs: readonly string[];
}

/**
 * Returns an error about rows of a block that contradict its header. The error names the files with these
 * rows.
 */
export function invalidRows(
  { header, files, invalid }: TableBlock,
  kinds: readonly (keyof RowFiles)[],
  problem: string,
): InvalidFile {
  const names = [...new Set(kinds.flatMap((kind) => files[kind]))];
  return names.length === 0
    ? invalid(problem)
    : new InvalidFile(names.join(" or "), `block ${header.number}`, problem);
}

export interface TableHeader {
  number: number;
  hash: Hex;
  /** The header fields in the file, by their names in JSON-RPC. */
  fields: ReadonlyMap<string, Hex>;
  /** Size of the block in bytes and number of its transactions; null if the file lacks them. */
  size: Hex | null;
  transactionCount: number | null;
  chainId: number | null;
}

export interface TableTransaction {
  hash: Hex;
  type: number;
  /** Null if the format lacks exact transactions, so that the node's transactions replace them. */
  own: OwnTransaction | null;
  receipt: TableReceipt;
  /** Returns an error about the row of the transaction. */
  invalid(problem: string): InvalidFile;
}

/** A transaction as far as the file has it. */
export interface OwnTransaction {
  /** Fields that the file lacks are null; see `lacksValue`. */
  fields: RpcTransaction;
  /** True if the file has only a rounded `value`, which is then zero in `fields`. */
  lacksValue: boolean;
  /** Parity of the signature and length of the transaction's encoding; null if the file lacks them. */
  parity: 0 | 1 | null;
  encodedBytes: number | null;
}

export interface TableReceipt extends Pick<RpcReceipt, "status" | "root" | "logs"> {
  gasUsed: number;
  /** The cumulative gas in the file; null if the file lacks it. */
  cumulativeGasUsed: number | null;
}
