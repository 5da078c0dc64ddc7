import type { Hex } from "../lib/hex.ts";
import type { BlockRef } from "./block.ts";

/**
 * The block whose state a call reads. The hash keeps it from reading the state of another block with this number
 * after a reorg; without one, the endpoint's block with this number is used.
 */
export type CallBlock = Pick<BlockRef, "number"> & { hash?: Hex | undefined };

/** A read-only contract call. `data` is the selector and the arguments. */
export interface ContractCall {
  to: Hex;
  data: Hex;
  /**
   * Block whose state is read. If it is absent, or no endpoint has its state, the newest block's state is
   * read.
   */
  block?: CallBlock | undefined;
}
