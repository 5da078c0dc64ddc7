import type { Sql } from "../engine-sql/sql-text.ts";
import { BaseError } from "../lib/error.ts";
import type { StoredScope } from "../schema/scope.ts";
import type { Table } from "../schema/table.ts";
import { type Rows, TABLE_NAMES, type TableName, tableOf } from "../schema/tables.ts";
import { encodeRows } from "./rows/row-binary.ts";
import { printRows } from "./rows/row-values.ts";
import type { Batch, BlockName, Commit } from "./store.ts";

/**
 * Maximum size of a table's encoded rows that are inserted as literals. Literals are faster even at several
 * times this size, but printing them occupies the event loop.
 */
const MAX_PRINTED_BYTES = 16 * 1024;

/** The rows of one table, encoded. */
export interface EncodedRows {
  table: TableName;
  columns: string[];
  chunks: Uint8Array[];
  /** Prints the rows as `VALUES`; undefined if there are too many. */
  print: (() => Sql) | undefined;
}

interface RowsOfBlocks {
  first: number;
  last: number;
  rows: Rows;
}

export function encodeBatch(batch: RowsOfBlocks): EncodedRows[] {
  return TABLE_NAMES.flatMap((table) => {
    const rows = batch.rows[table] ?? [];
    if (rows.length === 0) return [];
    const declared = tableOf(table);
    for (const row of rows)
      requireInside(batch, table, (row as Record<string, unknown>)[declared.blockColumn]);
    return [{ table, columns: Object.keys(declared.columns), ...encoded(declared, rows) }];
  });
}

function encoded(
  table: Table,
  rows: readonly Record<string, unknown>[],
): Pick<EncodedRows, "chunks" | "print"> {
  const chunks = encodeRows(table, rows);
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  return { chunks, print: bytes > MAX_PRINTED_BYTES ? undefined : () => printRows(table, rows) };
}

/**
 * Rejects a row outside its batch's blocks. It would survive their rollback, or be removed by a rollback of
 * other blocks.
 */
function requireInside({ first, last }: RowsOfBlocks, table: TableName, block: unknown): void {
  if (typeof block === "number" && block >= first && block <= last) return;
  throw new InvalidBatch(
    `a row of ${table} belongs to block ${block}, but its batch covers ${first}..${last}`,
  );
}

export function blockOf({ blockNumber: number, blockHash: hash, timestamp }: Commit): BlockName {
  return { number, hash, timestamp };
}

export function isSameBlock(commit: Commit, block: BlockName): boolean {
  return commit.blockNumber === block.number && commit.blockHash === block.hash;
}

export function requireConsecutive(newest: Commit | null, batch: Omit<Batch, "rows">): void {
  if (batch.lastBlock.number < batch.firstBlock) {
    throw new InvalidBatch(`a batch ends (${batch.lastBlock.number}) before it starts (${batch.firstBlock})`);
  }
  if (newest !== null && batch.firstBlock !== newest.blockNumber + 1) {
    throw new InvalidBatch(
      `a batch starts at block ${batch.firstBlock}, but the next block to commit is ${newest.blockNumber + 1}`,
    );
  }
}

/** Returns the newest final block that is stored; never lower than before. */
export function finalizedBlock(
  newest: Commit | null,
  { finalized, lastBlock }: Omit<Batch, "rows">,
): number | null {
  const before = newest?.finalized ?? null;
  if (finalized === undefined || finalized === null) return before;
  return Math.max(before ?? 0, Math.min(finalized, lastBlock.number));
}

export function finalizedAfterRollback(
  { finalized, firstBlock }: Commit,
  { number }: BlockName,
): number | null {
  return finalized === null || number < firstBlock ? null : Math.min(finalized, number);
}

export function requireCommitted(
  newest: Commit | null,
  { first, last }: { first: number; last: number },
): Commit {
  if (newest !== null && first <= last && first >= newest.firstBlock && last <= newest.blockNumber)
    return newest;
  const stored = newest === null ? "no blocks" : `only blocks ${newest.firstBlock} to ${newest.blockNumber}`;
  throw new InvalidBatch(`cannot replace blocks ${first} to ${last}: ${stored} are committed`);
}

/** Blocks that a reorg may still replace must keep their rows, because pruning cannot be undone. */
export function requireFinal(newest: Commit | null, { rawFrom }: StoredScope): void {
  if (newest?.finalized != null && rawFrom - 1 <= newest.finalized) return;
  const reason = newest?.finalized == null ? "no block is" : `only blocks up to ${newest.finalized} are`;
  throw new BaseError("internal", `cannot prune before block ${rawFrom}: ${reason} final`);
}

export function requireSameTip(newest: Commit | null, copy: Commit): Commit {
  if (newest !== null && isSameBlock(copy, blockOf(newest)) && copy.firstBlock <= copy.blockNumber)
    return newest;
  throw new InvalidBatch(`the copy ends at block ${copy.blockNumber}, the chain at ${newest?.blockNumber}`);
}

export function requireBelow(newest: Commit | null, block: BlockName): Commit {
  if (newest === null) throw new InvalidRollback(block, "nothing is committed");
  if (block.number > newest.blockNumber) {
    throw new InvalidRollback(block, `the newest committed block is ${newest.blockNumber}`);
  }
  if (block.number < newest.firstBlock - 1) {
    throw new InvalidRollback(block, `the first committed block is ${newest.firstBlock}`);
  }
  const isEmpty = newest.blockNumber < newest.firstBlock;
  if (block.number === newest.blockNumber && !isEmpty && !isSameBlock(newest, block)) {
    throw new InvalidRollback(
      block,
      `the newest committed block has that number but hash ${newest.blockHash}`,
    );
  }
  return newest;
}

class InvalidBatch extends BaseError {
  constructor(message: string) {
    super("internal", message);
  }
}

class InvalidRollback extends BaseError {
  constructor(block: BlockName, reason: string) {
    super("internal", `cannot roll back to block ${block.number} (${block.hash}): ${reason}`);
  }
}
