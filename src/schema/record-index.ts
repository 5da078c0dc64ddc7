import { BaseError } from "../lib/error.ts";

/**
 * Maximum number of rows of one table in a block, more than any block's gas can pay for. 2^53 / 2^19 = 1.7e10
 * blocks are enough for every chain until after 2100 (at a block every 0.15 s from 2020 on).
 */
const ROWS_PER_BLOCK = 2 ** 19;

/**
 * Returns the record index of a row. It ascends in chain order, is unique in its table and below 2^53, and
 * depends only on the row's position.
 *
 * @param ordinal the row's number among the rows of its table and block, from 0
 */
export function recordIndexOf(blockNumber: number, ordinal: number): number {
  if (ordinal >= ROWS_PER_BLOCK) {
    throw new BaseError(
      "too-large",
      `block ${blockNumber} has more than ${ROWS_PER_BLOCK} rows in one table`,
    );
  }
  return blockNumber * ROWS_PER_BLOCK + ordinal;
}
