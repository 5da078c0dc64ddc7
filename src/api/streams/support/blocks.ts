import { hashOf } from "../../../reads/support/market.ts";
import type { RowOf, Rows } from "../../../schema/tables.ts";
import type { Commit } from "../../../storage/store.ts";

/** Makes a commit with this number as its sequence and as its newest block. */
export function commitOf(number: number): Commit {
  return {
    sequence: number,
    firstBlock: 0,
    blockNumber: number,
    blockHash: hashOf(number),
    timestamp: 1_700_000_000 + 12 * number,
    finalized: null,
    committedAt: 1_700_000_000 + 12 * number,
  };
}

/** Makes rows of blocks, with the columns that streams need and a string that makes them large. */
export function blockRows(numbers: readonly number[], bytes = 1_000): Rows {
  const blocks = numbers.map((number) => ({
    block_number: number,
    block_hash: hashOf(number),
    parent_hash: hashOf(number - 1),
    timestamp: 1_700_000_000 + 12 * number,
    extra_data: `0x${"00".repeat(bytes)}`,
  }));
  return { blocks: blocks as unknown as RowOf<"blocks">[] };
}
