import type { Law } from "../invariant.ts";
import { AMOUNT_LAWS } from "./blocks/amounts.ts";
import { CONTINUITY_LAWS } from "./blocks/continuity.ts";
import { METADATA_LAWS } from "./blocks/metadata.ts";
import { COUNT_LAWS } from "./blocks/row-counts.ts";
import { TRADE_LAWS } from "./blocks/trades.ts";
import { TRANSFER_LAWS } from "./blocks/transfers.ts";
import { WINDOW_LAWS } from "./blocks/windows.ts";

/** Everything that is checked block by block, in the order in which a block is made. */
export const LAWS: readonly Law[] = [
  ...CONTINUITY_LAWS,
  ...COUNT_LAWS,
  ...TRANSFER_LAWS,
  ...TRADE_LAWS,
  ...AMOUNT_LAWS,
  ...METADATA_LAWS,
  ...WINDOW_LAWS,
];
