import { z } from "zod";
import { commaList, setting, yesNo } from "../setting.ts";

/** Settings for data from files. */
export const FILE_SETTINGS = {
  files: setting({
    group: "Chain and endpoints",
    flag: "--files <place[,place]>",
    env: "QUARRY_FILES",
    schema: commaList.optional(),
    doc:
      "block files: era1, ere or erae files, or files from cryo, ethereum-etl or the AWS dataset (Parquet, csv, JSON " +
      "lines); paths of files or folders, or, for era files, http(s):// URLs of folders with a " +
      "checksums_sha256.txt; with --rpc, indexing continues after them",
  }),
  unproven: setting({
    group: "Chain and endpoints",
    flag: "--unproven",
    env: "QUARRY_UNPROVEN",
    schema: yesNo.default(false),
    doc: "store blocks of Parquet, csv and JSON --files even if nothing proves them; `quarry status` shows which",
  }),
  anchor: setting({
    group: "Chain and endpoints",
    flag: "--anchor <hash>",
    env: "QUARRY_ANCHOR",
    schema: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/)
      .optional(),
    doc: "hash of the last block in --files; it proves all blocks in the files; not needed with --rpc",
  }),
  tokens: setting({
    group: "Chain and endpoints",
    flag: "--tokens <file[,file]>",
    env: "QUARRY_TOKENS",
    schema: commaList.optional(),
    doc:
      "token lists (JSON, tokenlists.org) with symbol, name and decimals of tokens whose contracts do not reveal " +
      "them or cannot be called",
  }),
} as const;
