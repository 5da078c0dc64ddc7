import type { Hex } from "../lib/hex.ts";

/** Which logs are asked for: those of one contract, in a range of blocks, with one of some topics at each place. */
export interface LogFilter {
  address: Hex;
  /** What each topic may be, from the first on. */
  topics: Hex[][];
  from: number;
  /** Inclusive. */
  to: number;
  /** There are as many for sure: whoever tells fewer lacks some. */
  atLeast: number;
}
