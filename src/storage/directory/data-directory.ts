import { existsSync } from "node:fs";
import {
  access,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { BaseError } from "../../lib/error.ts";
import { replaceFile } from "../../lib/replace-file.ts";
import { fileReason, meansFullDisk, systemCode } from "../../lib/system-error.ts";
import { acquireLock, type HeldLock, type LockOptions, type Reachable, requireFree } from "./process-lock.ts";

/**
 * Incremented whenever the stored data changes in such a way that earlier versions of Quarry cannot read it,
 * or must not write to it.
 */
export const DATA_FORMAT = 10;

/** The oldest format that this version upgrades. */
export const OLDEST_FORMAT = 7;

/** Returns whether this version can read data of a format, after an upgrade if it is older. */
export function isReadableFormat(format: unknown): boolean {
  return Number.isInteger(format) && Number(format) >= OLDEST_FORMAT && Number(format) <= DATA_FORMAT;
}

export const FORMAT_FILE = "quarry-format.json";
export const FORMAT_TEXT = `${JSON.stringify({ format: DATA_FORMAT })}\n`;
export const LOCK_FILE = "quarry.lock";
export const ENGINE_FOLDER = "engine";
/** Name of a file in a directory that is being restored. The file is removed when the restore is complete. */
export const RESTORE_FILE = "quarry-restore.json";
/** Folder for downloaded files of blocks while they are being read. */
export const DOWNLOADS_FOLDER = "downloads";
const KNOWN_ENTRIES = new Set([FORMAT_FILE, LOCK_FILE, ENGINE_FOLDER, DOWNLOADS_FOLDER]);

/** Entries that volumes and file managers create in an otherwise empty directory. */
export const HARMLESS_ENTRIES = new Set(["lost+found", ".DS_Store"]);

export interface DataDirectory {
  path: string;
  /** The engine's own directory. */
  enginePath: string;
  /** Writes into the lock how this process can be reached, for processes that find the directory in use. */
  publish(reachable: Reachable): Promise<void>;
  /**
   * Records that all tables have the format of this version.
   *
   * @returns the format that was stored before, if it was an earlier one
   */
  markUpgraded(): Promise<number | null>;
  /** Releases the lock. Close the engine first. */
  release(): Promise<void>;
}

/** Returns whether a directory is a Quarry data directory, without opening it. */
export function holdsData(path: string): boolean {
  return existsSync(join(path, FORMAT_FILE));
}

/**
 * Opens a data directory for this process, creating it if it is missing. Throws `data-directory` if it has
 * other content or a format that this version cannot read, is not writable, or is in use by a living process.
 */
export async function openDataDirectory(path: string, options: LockOptions = {}): Promise<DataDirectory> {
  const root = resolve(path);
  await createDirectory(root);
  await requireDataDirectory(root);
  const lock = await lockDirectory(root, options);
  try {
    await requireFormat(root);
    const enginePath = join(root, ENGINE_FOLDER);
    await mkdir(enginePath, { recursive: true });
    const publish = (reachable: Reachable) => lock.publish(reachable);
    const release = () => lock.release();
    return { path: root, enginePath, publish, markUpgraded: () => writeThisFormat(root), release };
  } catch (error) {
    await lock.release();
    throw error instanceof BaseError ? error : new DirectoryUnusable(root, error);
  }
}

/**
 * Checks whether `openDataDirectory` would succeed, without creating or changing anything.
 *
 * @returns `existing` for a data directory, `new` if the directory does not exist or holds no data yet
 * @throws the errors of `openDataDirectory`
 */
export async function inspectDataDirectory(path: string): Promise<"existing" | "new"> {
  const root = resolve(path);
  const found = nearestExisting(root);
  try {
    if (!(await stat(found)).isDirectory())
      throw new DirectoryUnusable(root, { code: found === root ? "EEXIST" : "ENOTDIR" });
    await access(found, constants.R_OK | constants.W_OK | constants.X_OK);
    return found === root ? await stateOf(root) : "new";
  } catch (error) {
    throw error instanceof BaseError ? error : new DirectoryUnusable(root, error);
  }
}

/**
 * Checks that an existing directory can be read, has a readable format and is not in use.
 *
 * @returns `new` if it holds no data yet
 */
async function stateOf(root: string): Promise<"existing" | "new"> {
  await requireDataDirectory(root);
  await requireFree(join(root, LOCK_FILE));
  const format = await readFormat(root);
  if (format === null) return "new";
  requireReadable(root, format);
  return "existing";
}

/** Returns whether a path is a data directory that this process may read, but not write to. */
export async function isReadOnlyData(path: string): Promise<boolean> {
  const root = resolve(path);
  if (!holdsData(root)) return false;
  return access(root, constants.W_OK).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === "EROFS" || error.code === "EACCES",
  );
}

/**
 * Opens a data directory that this process cannot write to. It cannot be locked, so nothing else may write to
 * it, not even from another machine.
 *
 * The engine writes some files of its own even if no table changes, so it gets a temporary folder with links
 * to the folders of the tables.
 */
export async function openReadOnlyDirectory(path: string): Promise<DataDirectory> {
  const root = resolve(path);
  const folder = await mkdtemp(join(tmpdir(), "quarry-read-only-"));
  const release = () => rm(folder, { recursive: true, force: true });
  try {
    if ((await stateOf(root)) === "new") throw new NoData(root);
    for (const name of TABLE_FOLDERS) await symlink(join(root, ENGINE_FOLDER, name), join(folder, name));
    const publish = async () => {};
    return { path: root, enginePath: folder, publish, markUpgraded: async () => null, release };
  } catch (error) {
    await release();
    throw error instanceof BaseError ? error : new DirectoryUnusable(root, error);
  }
}

/** The engine's folders in which tables are stored. */
const TABLE_FOLDERS = ["data", "metadata", "store"];

/** Returns the path itself, or its nearest parent that exists. */
export function nearestExisting(path: string): string {
  const parent = dirname(path);
  return existsSync(path) || parent === path ? path : nearestExisting(parent);
}

export async function createDirectory(root: string): Promise<void> {
  try {
    await createWithParents(root);
    await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DirectoryUnusable(root, error);
  }
}

/**
 * Creates a directory and its parents. Avoids mkdir's recursive option, with which Node retries forever where
 * nothing can be created (e.g. in /proc).
 */
async function createWithParents(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EEXIST" && (await stat(path)).isDirectory()) return;
    if (code !== "ENOENT" || dirname(path) === path || (await isDirectory(dirname(path)))) throw error;
    await createWithParents(dirname(path));
    await mkdir(path);
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function requireDataDirectory(root: string): Promise<void> {
  const entries = (await readdir(root)).filter((entry) => !HARMLESS_ENTRIES.has(entry));
  if (entries.includes(FORMAT_FILE)) return;
  if (entries.includes(RESTORE_FILE)) throw new IncompleteRestore(root);
  const foreign = entries.find((entry) => !KNOWN_ENTRIES.has(entry) && !entry.startsWith(`${LOCK_FILE}.`));
  if (foreign !== undefined || entries.includes(ENGINE_FOLDER)) {
    throw new NotADataDirectory(root, foreign ?? ENGINE_FOLDER);
  }
}

async function lockDirectory(root: string, options: LockOptions): Promise<HeldLock> {
  try {
    return await acquireLock(join(root, LOCK_FILE), options);
  } catch (error) {
    throw error instanceof BaseError ? error : new DirectoryUnusable(root, error);
  }
}

async function requireFormat(root: string): Promise<void> {
  const text = await readFormat(root);
  if (text === null) await writeFile(join(root, FORMAT_FILE), FORMAT_TEXT);
  else requireReadable(root, text);
}

/**
 * Writes this version's format. Returns the format that was stored before, or null if it was the same. Until
 * this is done, the earlier version can open the directory, even if the upgrade was interrupted: an upgrade
 * only adds to the tables.
 */
async function writeThisFormat(root: string): Promise<number | null> {
  const found = Number(formatOf((await readFormat(root)) ?? FORMAT_TEXT));
  if (found === DATA_FORMAT) return null;
  await replaceFile(join(root, FORMAT_FILE), FORMAT_TEXT);
  return found;
}

/** Reads the format file; null if it is missing or empty. */
async function readFormat(root: string): Promise<string | null> {
  const text = await readFile(join(root, FORMAT_FILE), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text === "" ? null : text;
}

/** @throws NewerFormat, AnotherFormat */
function requireReadable(root: string, text: string): void {
  const found = formatOf(text);
  if (isReadableFormat(found)) return;
  throw typeof found === "number" && found > DATA_FORMAT
    ? new NewerFormat(root, found)
    : new AnotherFormat(root, found);
}

function formatOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { format?: unknown }).format;
  } catch {
    return undefined;
  }
}

class DirectoryUnusable extends BaseError {
  constructor(path: string, cause: unknown) {
    super(
      meansFullDisk(cause) ? "disk-full" : "data-directory",
      `Cannot use ${path} as the data directory: ${reasonOf(cause)}. Fix this, or choose another directory with --data.`,
      { cause },
    );
  }
}

function reasonOf(cause: unknown): string {
  const reasons: Record<string, string> = {
    EACCES: "this user has no permission to write there (EACCES)",
    EPERM: "this user has no permission to write there (EPERM)",
    ENOENT: "it cannot be created there (ENOENT)",
    EEXIST: "it is a file, not a directory (EEXIST)",
  };
  return reasons[systemCode(cause)] ?? fileReason(cause);
}

class NoData extends BaseError {
  constructor(path: string) {
    super("data-directory", `${path} cannot be written to, and nothing is indexed in it.`);
  }
}

class IncompleteRestore extends BaseError {
  constructor(path: string) {
    super(
      "data-directory",
      `${path} was only partly restored: \`quarry restore\` was interrupted. Run it again, or remove the directory.`,
    );
  }
}

class NotADataDirectory extends BaseError {
  constructor(path: string, entry: string) {
    super(
      "data-directory",
      `${path} is not empty and not a Quarry data directory (it contains ${JSON.stringify(entry)}). ` +
        "Choose an empty or new directory with --data.",
    );
  }
}

class NewerFormat extends BaseError {
  constructor(path: string, found: number) {
    super(
      "data-directory",
      `A newer version of Quarry wrote ${path}: it has data format ${found}, and this version reads formats up to ` +
        `${DATA_FORMAT}. Use that version or a later one, or restore a backup from before the update.`,
    );
  }
}

class AnotherFormat extends BaseError {
  constructor(path: string, found: unknown) {
    super(
      "data-directory",
      `${path} has data format ${JSON.stringify(found) ?? "unknown"}; this version of Quarry ` +
        `reads formats ${OLDEST_FORMAT} to ${DATA_FORMAT}. ` +
        "Use the version that wrote it, or index again into an empty directory (--data).",
    );
  }
}
