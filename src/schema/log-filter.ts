import type { Hex } from "../lib/hex.ts";

/** Selects the logs of one contract in a range of blocks, with one of the given topics at each position. */
export interface LogFilter {
  address: Hex;
  /** Allowed values of each topic, from the first on. */
  topics: Hex[][];
  from: number;
  /** Inclusive. */
  to: number;
  /** Number of logs that are known to exist: a response with fewer is incomplete. */
  atLeast: number;
}
