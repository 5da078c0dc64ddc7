import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { BaseError } from "../lib/error.ts";
import { checkedJson, readCheckedJson } from "../lib/hash/checked-json.ts";
import { isHex } from "../lib/hex.ts";
import { fileBytes } from "../lib/regular-file.ts";
import { replaceFile } from "../lib/replace-file.ts";
import { systemCode } from "../lib/system-error.ts";
import { RECORD_NUMBERINGS, type RecordNumbering, UNNAMED_NUMBERING } from "../schema/record-index.ts";
import { EVERYTHING, KEEP_LEVELS, type StoredScope } from "../schema/scope.ts";
import type { Columns } from "../schema/table.ts";
import { TABLE_NAMES, type TableName, tableOf } from "../schema/tables.ts";
import { FILE_FORMATS, type FileFormat } from "./file-format.ts";

/** Incremented whenever the layout of an export changes so that older versions cannot read it. */
export const MANIFEST_VERSION = 1;

const hash = z.string().refine((text): text is `0x${string}` => isHex(text, 32));
const count = z.int().min(0);

const file = z.strictObject({ rows: count, bytes: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) });

const day = z.strictObject({
  date: z.iso.date(),
  first_block: count,
  first_hash: hash,
  parent_hash: hash,
  last_block: count,
  last_hash: hash,
  last_timestamp: count,
  /** False if a reorg may still replace blocks of the day. */
  final: z.boolean(),
  /** Sequence number of the commit as of which the day was exported. */
  commit: count,
  /**
   * Number and hash of the newest block of that commit, and the time of the commit in Unix seconds. They
   * distinguish the commit from a commit of another index with the same number. Absent in exports of earlier
   * versions.
   */
  commit_block: count.exactOptional(),
  commit_hash: hash.exactOptional(),
  committed_at: count.exactOptional(),
  files: z.partialRecord(z.enum(TABLE_NAMES), file),
});

const column = z.strictObject({ name: z.string(), type: z.string(), nullable: z.boolean() });

const manifest = z.strictObject({
  version: z.literal(MANIFEST_VERSION),
  data_format: count,
  chain: z.string(),
  chain_id: count,
  /** First block of the index that was exported. */
  index_first_block: count,
  /** Newest final block at the last export; null if none was known. */
  finalized: count.nullable(),
  /** What the index stores; absent if it stores everything, as in exports of earlier versions. */
  keep: z.enum(KEEP_LEVELS).exactOptional(),
  /** First block with raw rows; raw rows of earlier blocks were pruned. Absent if none were. */
  raw_from_block: count.exactOptional(),
  /** How the rows are numbered; absent in exports of indexes that earlier versions began. */
  numbering: z.enum(RECORD_NUMBERINGS).exactOptional(),
  format: z.enum(FILE_FORMATS),
  tables: z.partialRecord(z.enum(TABLE_NAMES), z.array(column)),
  days: z.array(day),
});

/** The manifest of a chain's exported files. The field names are those in the JSON. */
export type Manifest = z.infer<typeof manifest>;
export type ManifestDay = z.infer<typeof day>;
export type ManifestFile = z.infer<typeof file>;

/** Returns the stored scope of the exported index. */
export function exportedScope({
  keep = EVERYTHING.keep,
  raw_from_block: rawFrom = EVERYTHING.rawFrom,
}: Pick<Manifest, "keep" | "raw_from_block">): StoredScope {
  return { keep, rawFrom };
}

export function exportedNumbering({ numbering = UNNAMED_NUMBERING }: Manifest): RecordNumbering {
  return numbering;
}

/** Returns the fields that describe the form of an index's rows, except fields with the default value. */
export function formFields(
  { keep, rawFrom }: StoredScope,
  numbering: RecordNumbering,
): Pick<Manifest, "keep" | "raw_from_block" | "numbering"> {
  return {
    ...(numbering === UNNAMED_NUMBERING ? {} : { numbering }),
    ...(keep === EVERYTHING.keep ? {} : { keep }),
    ...(rawFrom === EVERYTHING.rawFrom ? {} : { raw_from_block: rawFrom }),
  };
}

export const MANIFEST_NAME = "manifest.json";
/** Maximum size of a manifest, because it is held in memory: 40,000 days. */
const MAX_BYTES = 128 * 1024 ** 2;

/** Returns the path of a file, relative to the folder of its chain. */
export function filePath(table: TableName, date: string, format: FileFormat): string {
  return join(table, `date=${date}`, `part-0.${format}`);
}

/** Returns the tables of an export, in the order of the schema. */
export function exportedTables({ tables }: Manifest): TableName[] {
  return TABLE_NAMES.filter((table) => tables[table] !== undefined);
}

/**
 * Reads the manifest in a chain's folder; null if there is none.
 *
 * @throws InvalidManifest if any byte of it differs from what was written
 * @throws OtherManifestVersion if it has another version
 */
export async function readManifest(folder: string): Promise<Manifest | null> {
  const path = join(folder, MANIFEST_NAME);
  try {
    if ((await fileBytes(path)) > MAX_BYTES) throw new InvalidManifest(path);
    return parsed(path, await readFile(path, "utf8"));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}

function parsed(path: string, text: string): Manifest {
  const content = readCheckedJson(text);
  if (content === null) throw new InvalidManifest(path);
  if (content.version !== MANIFEST_VERSION) throw new OtherManifestVersion(path, content.version);
  const checked = manifest.safeParse(content);
  if (!checked.success) throw new InvalidManifest(path);
  return { ...checked.data, tables: withUint64(checked.data.tables) };
}

/**
 * Returns the columns with `uint64` in place of `int64` where earlier versions exported unsigned 64-bit
 * integers as `int64`. Their exports have no values that differ between the two types.
 */
function withUint64(tables: Manifest["tables"]): Manifest["tables"] {
  const renamed = Object.entries(tables).map(([table, columns]) => {
    const declared = tableOf(table as TableName).columns as Columns;
    const isUint64 = (name: string) => declared[name]?.kind === "uint64";
    return [table, columns.map((one) => (isUint64(one.name) ? { ...one, type: "uint64" } : one))];
  });
  return Object.fromEntries(renamed);
}

/** Replaces the manifest in one step. */
export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  await replaceFile(join(folder, MANIFEST_NAME), checkedJson(content));
}

class InvalidManifest extends BaseError {
  constructor(path: string) {
    super("verification", `${path} is damaged or was changed: it is not what \`quarry export\` wrote.`);
  }
}

class OtherManifestVersion extends BaseError {
  constructor(path: string, found: number) {
    super(
      "verification",
      `${path} has version ${found}; this version of Quarry reads ${MANIFEST_VERSION}. ` +
        "Use the version of Quarry that wrote it, or export again.",
    );
  }
}
