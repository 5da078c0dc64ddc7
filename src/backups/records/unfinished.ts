import { z } from "zod";
import { checkedJson, readCheckedJson } from "../../lib/hash/checked-json.ts";
import type { BackupTarget } from "../targets/target.ts";
import { MissingFile } from "../targets/target-errors.ts";
import { type StoredPart, storedPart } from "./manifest.ts";
import { readText, writeText } from "./text-files.ts";

const NAME = "unfinished.json";
const VERSION = 1;

const unfinished = z.strictObject({ version: z.literal(VERSION), parts: z.array(storedPart) });

/** Reads the parts that an interrupted backup has stored; none if there is no valid record. */
export async function readUnfinished(target: BackupTarget): Promise<StoredPart[]> {
  try {
    const read = unfinished.safeParse(readCheckedJson(await readText(target, NAME)));
    return read.success ? read.data.parts : [];
  } catch (error) {
    if (error instanceof MissingFile) return [];
    throw error;
  }
}

/** Records the parts that this backup has stored, so that the next one need not copy them again. */
export async function writeUnfinished(target: BackupTarget, parts: readonly StoredPart[]): Promise<void> {
  const listed = parts.map(({ id, bytes, sha256 }) => ({ id, bytes, sha256 }));
  await writeText(target, NAME, checkedJson({ version: VERSION, parts: listed }));
}

export async function removeUnfinished(target: BackupTarget): Promise<void> {
  await target.remove([NAME]);
}
