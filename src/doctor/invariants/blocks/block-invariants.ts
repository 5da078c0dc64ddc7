import type { Invariant } from "../../invariant.ts";
import { AMOUNT_INVARIANTS } from "./amounts.ts";
import { CONTINUITY_INVARIANTS } from "./continuity.ts";
import { METADATA_INVARIANTS } from "./metadata.ts";
import { COUNT_INVARIANTS } from "./row-counts.ts";
import { TRADE_INVARIANTS } from "./trades.ts";
import { TRANSFER_INVARIANTS } from "./transfers.ts";
import { WINDOW_INVARIANTS } from "./windows.ts";

/** All invariants that are checked block by block, in the order in which the rows of a block are derived. */
export const BLOCK_INVARIANTS: readonly Invariant[] = [
  ...CONTINUITY_INVARIANTS,
  ...COUNT_INVARIANTS,
  ...TRANSFER_INVARIANTS,
  ...TRADE_INVARIANTS,
  ...AMOUNT_INVARIANTS,
  ...METADATA_INVARIANTS,
  ...WINDOW_INVARIANTS,
];
