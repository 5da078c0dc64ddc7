import { BaseError } from "../lib/error.ts";

/** How the record indexes of a chain's rows follow from their positions. */
export const RECORD_NUMBERINGS = ["narrow", "wide"] as const;

export type RecordNumbering = (typeof RECORD_NUMBERINGS)[number];

/**
 * The numbering of new indexes of a chain. Indexes that were begun in data format 9 or earlier keep "narrow",
 * which they do not name.
 */
export const NEW_NUMBERING: RecordNumbering = "wide";
export const UNNAMED_NUMBERING: RecordNumbering = "narrow";

/** Record indexes that grow by `rows` from block to block. They begin at `base` for block 0. */
interface IndexLine {
  base: number;
  rows: number;
}

/**
 * The lines of each numbering. The first index of a block is the least that any line gives: with "wide", that
 * is the first line up to block 2^30, and the second line after it.
 *
 * Record indexes must stay below 2^53 for every chain until 2100. Both numberings have room for 1.7e10 blocks,
 * that is, for a block every 0.15 s from 2020 on. An empty log takes 379 gas, so a block needs 199 million gas
 * for more than 2^19 rows, and 1.6 billion for more than 2^22. A chain with a block every two seconds reaches
 * block 2^30 after 68 years.
 */
export const INDEX_LINES: Record<RecordNumbering, readonly [IndexLine, ...IndexLine[]]> = {
  narrow: [{ base: 0, rows: 2 ** 19 }],
  wide: [
    { base: 0, rows: 2 ** 22 },
    { base: 2 ** 52 - 2 ** 48, rows: 2 ** 18 },
  ],
};

/** Returns the record index of the first row of a block. All rows of earlier blocks have lower ones. */
export function firstRecordIndex(numbering: RecordNumbering, block: number): number {
  let first = Number.MAX_SAFE_INTEGER;
  for (const { base, rows } of INDEX_LINES[numbering]) first = Math.min(first, base + block * rows);
  return first;
}

/**
 * Returns the record index of a row. It ascends in chain order, is unique in its table and below 2^53, and
 * depends only on the row's position.
 *
 * @param ordinal the row's number among the rows of its table and block, from 0
 */
export function recordIndexOf(numbering: RecordNumbering, block: number, ordinal: number): number {
  const first = firstRecordIndex(numbering, block);
  const next = firstRecordIndex(numbering, block + 1);
  if (first + ordinal >= next) throw new TooManyRows(numbering, block, next - first);
  return first + ordinal;
}

/**
 * Retryable, so that indexing pauses at this block while the service still answers requests. An error that is
 * not retryable would end the process, again after each restart.
 */
class TooManyRows extends BaseError {
  constructor(numbering: RecordNumbering, block: number, capacity: number) {
    const remedy =
      numbering === NEW_NUMBERING
        ? ""
        : ". An earlier version of Quarry began this index; an index in a new --data directory can store the block";
    super(
      "too-large",
      `block ${block} has more than ${capacity} rows of one table, which cannot be stored${remedy}`,
      { retryable: true },
    );
  }
}
