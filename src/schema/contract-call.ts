import type { Hex } from "../lib/hex.ts";

/** A read-only contract call. `data` is the selector and the arguments. */
export interface ContractCall {
  to: Hex;
  data: Hex;
  /**
   * Block whose state is read. If it is absent, or no endpoint has its state, the newest block's state is
   * read.
   */
  block?: number;
  /**
   * Hash of that block, so that the state of another block with its number is not read after a reorg; if
   * absent, the endpoint's block with this number is used.
   */
  blockHash?: Hex | undefined;
}
