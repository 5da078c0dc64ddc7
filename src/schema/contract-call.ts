import type { Hex } from "../lib/hex.ts";

/** A read-only call of a contract: `data` is selector and arguments. */
export interface ContractCall {
  to: Hex;
  data: Hex;
  /** The block whose state is read, where an endpoint still has that state; absent: the newest block. */
  block?: number;
}
