import { z } from "zod";
import { commaList, setting } from "./setting.ts";

/** Settings of blocks that come from files. */
export const FILE_SETTINGS = {
  files: setting({
    group: "Chain and endpoints",
    flag: "--files <place[,place]>",
    env: "QUARRY_FILES",
    schema: commaList.optional(),
    doc:
      "era1, ere or erae files to read blocks from: files, folders, or http(s):// URLs of folders with a " +
      "checksums_sha256.txt; where they end, --rpc continues",
  }),
  anchor: setting({
    group: "Chain and endpoints",
    flag: "--anchor <hash>",
    env: "QUARRY_ANCHOR",
    schema: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/)
      .optional(),
    doc: "block hash of the last block of --files, which proves them; not needed with --rpc",
  }),
} as const;
