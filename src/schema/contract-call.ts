import type { Hex } from "../lib/hex.ts";
import type { BlockRef } from "./block.ts";

/** Selector of `decimals()` of ERC-20. */
export const DECIMALS: Hex = "0x313ce567";

/**
 * The block whose state a call reads. With a hash, the call cannot read the state of another block that got
 * this number in a reorg. Without one, the endpoint's block with this number is used.
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
