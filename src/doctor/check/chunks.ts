import { MAX_TIMESTAMP } from "../../engine-sql/column-types.ts";
import { integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import type { Engine } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import type { BlockSpan } from "../invariant.ts";

/**
 * Maximum number of rows that one query checks. Joins and counts of this many rows take a few hundred
 * megabytes of memory.
 */
const CHUNK_ROWS = 1_000_000;
/** Maximum number of blocks in one query, even if they are empty. Limits the memory for counts by block. */
const CHUNK_BLOCKS = 250_000;
/**
 * Number of blocks whose rows are counted together when a chain is cut into chunks: 20 million blocks make
 * 20,000 sums.
 */
const SLICE_BLOCKS = 1_000;

/** Consecutive blocks that one query checks, with the range of their times. */
export interface Chunk extends BlockSpan {
  times: { earliest: number; latest: number };
}

interface Slice {
  slice: number;
  rows: number;
  earliest: number;
  latest: number;
}

/** Cuts a span into chunks of limited size that cover all of it, missing blocks included. */
export async function chunksOf(engine: Engine, chain: string, span: BlockSpan): Promise<Chunk[]> {
  const slices = new Map<number, Slice>();
  for (const slice of await engine.query<Slice>(slicesQuery(chain, span))) slices.set(slice.slice, slice);
  const chunks: SizedChunk[] = [];
  for (let first = span.first, i = 0; first <= span.last; first += SLICE_BLOCKS, i++) {
    const last = Math.min(first + SLICE_BLOCKS - 1, span.last);
    const slice = { first, last, ...(slices.get(i) ?? EMPTY) };
    const open = chunks.at(-1);
    if (open === undefined || !fits(open, slice)) chunks.push(slice);
    else extend(open, slice);
  }
  return chunks.map(({ first, last, earliest, latest }) => ({ first, last, times: { earliest, latest } }));
}

/** A slice without stored blocks has no time range. */
const EMPTY = { rows: 0, earliest: MAX_TIMESTAMP, latest: 0 };

type SizedChunk = BlockSpan & Omit<Slice, "slice">;

function fits(open: SizedChunk, slice: SizedChunk): boolean {
  return open.rows + slice.rows <= CHUNK_ROWS && slice.last - open.first < CHUNK_BLOCKS;
}

function extend(open: SizedChunk, slice: SizedChunk): void {
  open.last = slice.last;
  open.rows += slice.rows;
  open.earliest = Math.min(open.earliest, slice.earliest);
  open.latest = Math.max(open.latest, slice.latest);
}

function slicesQuery(chain: string, { first, last }: BlockSpan): Sql {
  return sql`SELECT intDiv(block_number - ${integer(first)}, ${integer(SLICE_BLOCKS)}) AS slice,
    sum(log_count + transaction_count + erc20_count + erc721_count + trade_count) AS rows,
    min(toUnixTimestamp(timestamp)) AS earliest, max(toUnixTimestamp(timestamp)) AS latest
    FROM ${engineTable(chain, "blocks")}
    WHERE block_number >= ${integer(first)} AND block_number <= ${integer(last)} GROUP BY slice`;
}

/**
 * Returns the two halves of a chunk; null for a single block. Both halves keep the time range, which is only
 * a bound.
 */
export function halvesOf({ first, last, times }: Chunk): [Chunk, Chunk] | null {
  if (first === last) return null;
  const middle = Math.floor((first + last) / 2);
  return [
    { first, last: middle, times },
    { first: middle + 1, last, times },
  ];
}

/**
 * Returns whether a check failed because it took too long or too much memory. Half as many blocks may fit.
 */
export function exceedsLimits(error: unknown): boolean {
  return error instanceof BaseError && (error.code === "memory" || error.code === "timeout");
}
