import { z } from "zod";
import { KEEP_LEVELS } from "../../schema/scope.ts";
import { integerFrom, numeric, setting } from "../setting.ts";

/** Settings for what an index stores and how much it commits at once. */
export const SCOPE_SETTINGS = {
  keep: setting({
    group: "Indexing",
    flag: "--keep <level>",
    env: "QUARRY_KEEP",
    schema: z.enum(KEEP_LEVELS).optional(),
    doc: "what to store for a new chain: all, no-input (without input data), no-logs (also without logs), trades (also without transactions and transfers); default: the chain's stored level, or all for a new chain",
  }),
  batchBlocks: setting({
    group: "Indexing",
    flag: "--batch-blocks <number>",
    env: "QUARRY_BATCH_BLOCKS",
    schema: numeric(integerFrom(1, 10_000).default(1_000)),
    doc: "maximum number of blocks per commit: a lower number uses less memory, a higher one is faster",
  }),
};
