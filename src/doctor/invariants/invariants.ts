import type { Invariant } from "../invariant.ts";
import { AMOUNT_INVARIANTS } from "./blocks/amounts.ts";
import { CONTINUITY_INVARIANTS } from "./blocks/continuity.ts";
import { METADATA_INVARIANTS } from "./blocks/metadata.ts";
import { COUNT_INVARIANTS } from "./blocks/row-counts.ts";
import { TRADE_INVARIANTS } from "./blocks/trades.ts";
import { TRANSFER_INVARIANTS } from "./blocks/transfers.ts";
import { WINDOW_INVARIANTS } from "./blocks/windows.ts";

/** All invariants that are checked block by block, in the order in which the rows of a block are derived. */
export const INVARIANTS: readonly Invariant[] = [
  ...CONTINUITY_INVARIANTS,
  ...COUNT_INVARIANTS,
  ...TRANSFER_INVARIANTS,
  ...TRADE_INVARIANTS,
  ...AMOUNT_INVARIANTS,
  ...METADATA_INVARIANTS,
  ...WINDOW_INVARIANTS,
];
