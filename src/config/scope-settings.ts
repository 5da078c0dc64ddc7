import { z } from "zod";
import { KEEP_LEVELS } from "../schema/scope.ts";
import { setting } from "./setting.ts";

/** What an index stores. */
export const SCOPE_SETTINGS = {
  keep: setting({
    group: "Indexing",
    flag: "--keep <level>",
    env: "QUARRY_KEEP",
    schema: z.enum(KEEP_LEVELS).optional(),
    doc: "what to store of a new chain: all, no-input (without input data), no-logs (also without logs), trades (also without transactions and transfers); default: what is stored already, or all",
  }),
};
