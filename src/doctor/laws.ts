import type { Law } from "./law.ts";
import { AMOUNT_LAWS } from "./laws/amounts.ts";
import { CONTINUITY_LAWS } from "./laws/continuity.ts";
import { METADATA_LAWS } from "./laws/metadata.ts";
import { COUNT_LAWS } from "./laws/row-counts.ts";
import { TRADE_LAWS } from "./laws/trades.ts";
import { TRANSFER_LAWS } from "./laws/transfers.ts";
import { WINDOW_LAWS } from "./laws/windows.ts";

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
