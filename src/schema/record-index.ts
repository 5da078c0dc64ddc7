import { BaseError } from "../lib/error.ts";

/**
 * Maximum number of rows of one table in a block. 2^53 / 2^19 = 1.7e10 blocks are enough for every chain
 * until after 2100 (at a block every 0.15 s from 2020 on). An empty log takes 379 gas, so a block needs
 * 199 million gas to exceed this limit.
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
    throw new TooManyRows(blockNumber);
  }
  return blockNumber * ROWS_PER_BLOCK + ordinal;
}

/**
 * Retryable, so that indexing pauses at this block while the service still answers requests. An error that is
 * not retryable would end the process, again after each restart.
 */
class TooManyRows extends BaseError {
  constructor(block: number) {
    super(
      "too-large",
      `block ${block} has more than ${ROWS_PER_BLOCK} rows of one table, which this version cannot store`,
      { retryable: true },
    );
  }
}
