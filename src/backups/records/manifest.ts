import { z } from "zod";
import { BaseError } from "../../lib/error.ts";
import { checkedJson, readCheckedJson } from "../../lib/hash/checked-json.ts";
import { isHex } from "../../lib/hex.ts";
import type { BackupTarget } from "../targets/target.ts";
import { MissingFile } from "../targets/target-errors.ts";
import { readText, writeText } from "./text-files.ts";

/** Incremented whenever the layout of backups changes so that older versions cannot read them. */
const MANIFEST_VERSION = 1;

const FOLDER = "backups/";
const END = ".json";
const ID = /^\d{8}T\d{6}Z(-\d+)?$/;

const hash = z.string().refine((text): text is `0x${string}` => isHex(text, 32));
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

const storedPart = z.strictObject({
  /** Identifies its content: see `partFiles`. */
  id: sha256,
  bytes: count,
  /** SHA-256 of its file in the backup. */
  sha256,
});

const part = storedPart.extend({
  /** Name in the engine, which encodes the order of a table's parts. */
  name: z.string().regex(/^\w[\w-]*$/),
});

const chain = z.strictObject({
  name: z.string().regex(/^\w+$/),
  chain_id: count,
  /** Sequence number of the newest commit. The backup has the chain as of this commit. */
  commit: count,
  first_block: count,
  last_block: count,
  last_hash: hash,
  last_timestamp: count,
  finalized: count.nullable(),
});

const manifest = z.strictObject({
  version: z.literal(MANIFEST_VERSION),
  id: z.string().regex(ID),
  data_format: count,
  /** Unix seconds. */
  created_at: count,
  chains: z.array(chain),
  /** The parts of each table, by the engine's name of the table. */
  tables: z.record(z.string().regex(/^\w+$/), z.array(part)),
});

/** The manifest of one backup. The field names are those in the JSON. */
export type Manifest = z.infer<typeof manifest>;
export type BackedUpChain = z.infer<typeof chain>;
export type BackedUpPart = z.infer<typeof part>;
/** A part that is stored in the target. */
export type StoredPart = z.infer<typeof storedPart>;
export { MANIFEST_VERSION, storedPart };

/** Returns the name of a part's file. */
export function partFileName(id: string): string {
  return `parts/${id.slice(0, 2)}/${id}`;
}

/** Returns the id in the name of a part's file; null for any other file. */
export function partOfFile(name: string): string | null {
  return /^parts\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(name)?.[1] ?? null;
}

/** Returns the parts of a backup by id. Parts with equal content have the same id, and are listed once. */
export function partsOf({ tables }: Manifest): Map<string, BackedUpPart> {
  return new Map(
    Object.values(tables)
      .flat()
      .map((listed) => [listed.id, listed]),
  );
}

/** Lists the ids of all backups, in the order in which they were made. */
export async function backupIds(target: BackupTarget): Promise<string[]> {
  const files = await target.list(FOLDER);
  return files
    .map(({ name }) => name.slice(FOLDER.length, -END.length))
    .filter((id) => ID.test(id))
    .sort(byOrder);
}

function byOrder(a: string, b: string): number {
  const [first, second] = [orderOf(a), orderOf(b)];
  return first.time < second.time ? -1 : first.time > second.time ? 1 : first.number - second.number;
}

function orderOf(id: string): { time: string; number: number } {
  const [time = "", number = "1"] = id.split("-");
  return { time, number: Number(number) };
}

/**
 * Returns the id of a new backup: its time or, if the newest backup is not earlier, the time of that backup
 * and a number. The new id therefore comes after all others, even if the clock was set back. The order of ids
 * decides which backups are removed and which one is restored.
 */
export function newBackupId(createdAt: number, existing: readonly string[]): string {
  const time = new Date(createdAt * 1000).toISOString().replaceAll(/[:-]|\.\d+/g, "");
  const newest = [...existing].sort(byOrder).at(-1);
  if (newest === undefined || orderOf(newest).time < time) return time;
  const { time: latest, number } = orderOf(newest);
  return `${latest}-${number + 1}`;
}

/** @throws NoSuchBackup, DamagedManifest, OtherVersion */
export async function readManifest(target: BackupTarget, id: string): Promise<Manifest> {
  if (!ID.test(id)) throw new NoSuchBackup(target.place, id);
  const name = fileOf(id);
  const content = readCheckedJson(await manifestText(target, id));
  if (content === null) throw new DamagedManifest(target.place, name);
  if (content.version !== MANIFEST_VERSION) throw new OtherVersion(target.place, name, content.version);
  const read = manifest.safeParse(content);
  if (!read.success || read.data.id !== id) throw new DamagedManifest(target.place, name);
  return read.data;
}

async function manifestText(target: BackupTarget, id: string): Promise<string> {
  try {
    return await readText(target, fileOf(id));
  } catch (error) {
    if (error instanceof MissingFile) throw new NoSuchBackup(target.place, id);
    throw error;
  }
}

/** Reads the manifest of a backup, by default the newest one. @throws NoBackups */
export async function selectedBackup(target: BackupTarget, id?: string): Promise<Manifest> {
  const selected = id ?? (await backupIds(target)).at(-1);
  if (selected === undefined) throw new NoBackups(target.place);
  return readManifest(target, selected);
}

export interface FoundBackups {
  /** Oldest first. */
  manifests: Manifest[];
  /** Why some manifests could not be read: they are damaged, or of another version. */
  problems: BaseError[];
}

/** Reads the manifests of all backups. */
export async function allBackups(target: BackupTarget): Promise<FoundBackups> {
  const found: FoundBackups = { manifests: [], problems: [] };
  for (const id of await backupIds(target)) {
    try {
      found.manifests.push(await readManifest(target, id));
    } catch (error) {
      if (!(error instanceof BaseError) || error.code !== "verification") throw error;
      found.problems.push(error);
    }
  }
  return found;
}

/** Writes the manifest of a backup. The backup exists from then on. */
export async function writeManifest(target: BackupTarget, content: Manifest): Promise<void> {
  await writeText(target, fileOf(content.id), checkedJson(content));
}

/** Removes manifests. The parts that only they list become unneeded. */
export async function removeManifests(target: BackupTarget, ids: readonly string[]): Promise<void> {
  await target.remove(ids.map(fileOf));
}

function fileOf(id: string): string {
  return `${FOLDER}${id}${END}`;
}

export class NoBackups extends BaseError {
  constructor(place: string) {
    super("bad-config", `There is no backup in ${place}.`);
  }
}

class NoSuchBackup extends BaseError {
  constructor(place: string, id: string) {
    super(
      "bad-config",
      `There is no backup ${JSON.stringify(id)} in ${place}. \`quarry backup list\` lists the existing ones.`,
    );
  }
}

class DamagedManifest extends BaseError {
  constructor(place: string, name: string) {
    super(
      "verification",
      `${name} in ${place} is damaged or was changed: it is not what \`quarry backup\` wrote. The other backups ` +
        "do not need it; to discard this backup, remove the file.",
    );
  }
}

class OtherVersion extends BaseError {
  constructor(place: string, name: string, found: number) {
    super(
      "verification",
      `${name} in ${place} has version ${found}; this version of Quarry reads ${MANIFEST_VERSION}. ` +
        "Use the version of Quarry that wrote it.",
    );
  }
}
