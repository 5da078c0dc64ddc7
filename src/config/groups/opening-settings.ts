import { z } from "zod";
import { OPENING_MODES } from "../../schema/tables/opening-balances.ts";
import { integerFrom, numeric, setting } from "../setting.ts";

/** Settings for the search for balances before the first block. */
export const OPENING_SETTINGS = {
  openingBalances: setting({
    group: "Indexing",
    flag: "--opening-balances <which>",
    env: "QUARRY_OPENING_BALANCES",
    schema: z.enum(OPENING_MODES).optional(),
    doc:
      "find the balances before the first block of an index that starts in the middle of the chain: pools, all (all " +
      "holders) or none; default: pools, or none if transfers or logs were pruned or are not kept",
  }),
  openingReads: setting({
    group: "Indexing",
    flag: "--opening-reads <number>",
    env: "QUARRY_OPENING_READS",
    schema: numeric(integerFrom(1, 100_000).default(100)),
    doc: "maximum number of balances per second that --opening-balances reads from each endpoint, on average",
  }),
};
