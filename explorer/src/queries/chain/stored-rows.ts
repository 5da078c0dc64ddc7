import { formatCount } from "../../format/number.ts";

/** The tables whose rows an index may leave out (`--keep`) or prune (`quarry prune`). */
export type RawTable = "transactions" | "logs" | "erc20" | "erc721";

/** The fields of a chain in `/v1/status` that show which rows of these tables an index stores. */
export interface StoredRows {
  keep: "all" | "no-input" | "no-logs" | "trades";
  first_block: number | null;
  raw_first_block: number | null;
}

const LEFT_OUT: Record<StoredRows["keep"], readonly RawTable[]> = {
  all: [],
  "no-input": [],
  "no-logs": ["logs"],
  trades: ["transactions", "logs", "erc20", "erc721"],
};

const NAMES: Record<RawTable, string> = {
  transactions: "transactions",
  logs: "logs",
  erc20: "ERC-20 transfers",
  erc721: "NFT transfers",
};

export function isKept({ keep }: Pick<StoredRows, "keep">, table: RawTable): boolean {
  return !LEFT_OUT[keep].includes(table);
}

/** Returns the first block whose rows of the kept tables are stored; null if none were pruned. */
export function prunedUntil({ first_block, raw_first_block }: StoredRows): number | null {
  const isPruned = raw_first_block !== null && first_block !== null && raw_first_block > first_block;
  return isPruned ? raw_first_block : null;
}

/** Returns whether the index has trades of transactions that it does not store. */
export function hasTradesOnly(stored: StoredRows): boolean {
  return !isKept(stored, "transactions") || prunedUntil(stored) !== null;
}

/** Returns the reason why the index has no rows of a table in an indexed block; null if it has them. */
export function missingRowsReason(stored: StoredRows, table: RawTable, block: number): string | null {
  if (!isKept(stored, table)) return notKeptText(stored, table);
  const first = prunedUntil(stored);
  return first === null || block >= first ? null : prunedText(table, first);
}

/** Returns the text for an index that leaves out a table. */
export function notKeptText({ keep }: Pick<StoredRows, "keep">, table: RawTable): string {
  return `This index does not store ${NAMES[table]}: it was created with --keep ${keep}.`;
}

/** Returns the text for an index whose first rows of a table are in block `first`. */
export function prunedText(table: RawTable, first: number): string {
  return `The ${NAMES[table]} of blocks before ${formatCount(first)} were pruned.`;
}
