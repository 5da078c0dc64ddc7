import type { Hex } from "../lib/hex.ts";

/** Selects one log for each of some ids, among the logs of one contract in a range of blocks. */
export interface LogFilter {
  address: Hex;
  /** The first topic. */
  topic: Hex;
  /** The second topic: each of these has one log in the range, so a response without it is incomplete. */
  ids: readonly Hex[];
  from: number;
  /** Inclusive. */
  to: number;
}
