import { BaseError } from "../lib/error.ts";

/**
 * A block has room for 2^19 rows of one table, more than any block's gas pays for. 2^53 / 2^19 = 1.7e10
 * blocks are enough for every chain until after 2100 (at a block every 0.15 s from 2020 on).
 */
const ROWS_PER_BLOCK = 2 ** 19;

/**
 * The record index of a row: ascending in chain order, unique in its table, a pure function of the row's
 * position, below 2^53.
 *
 * @param ordinal the row's number among the rows of its table and block, from 0
 */
export function recordIndexOf(blockNumber: number, ordinal: number): number {
  if (ordinal >= ROWS_PER_BLOCK) {
    throw new BaseError(
      "too-large",
      `block ${blockNumber} has more than ${ROWS_PER_BLOCK} rows of one table`,
    );
  }
  return blockNumber * ROWS_PER_BLOCK + ordinal;
}
