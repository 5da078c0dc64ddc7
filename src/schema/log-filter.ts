import type { Hex } from "../lib/hex.ts";

/** Selects logs of one contract in a range of blocks: one log for each id. */
export interface LogFilter {
  address: Hex;
  /** The first topic. */
  topic: Hex;
  /** Values of the second topic. Each has one log in the range, so a response without it is incomplete. */
  ids: readonly Hex[];
  from: number;
  /** Inclusive. */
  to: number;
}
