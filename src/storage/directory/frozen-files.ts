import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../../lib/system-error.ts";
import { acquireLock, type HeldLock, LockHeld, type LockOptions, requireFree } from "./process-lock.ts";

/** The engine's folder for hard links to frozen parts. */
const FROZEN_FOLDER = "shadow";
/** Prefix of the names under which Quarry freezes parts. */
const PREFIX = "quarry_";
const LOCK_FILE = "quarry-backup.lock";

/** The frozen parts by table. */
export type FrozenTables = Map<string, FrozenPart[]>;

export interface FrozenPart {
  /** Name of the part in the engine. */
  name: string;
  folder: string;
}

/** Returns the name under which a backup freezes parts. */
export function frozenName(id: string): string {
  return `${PREFIX}${id.replaceAll(/\W/g, "_")}`;
}

/**
 * Acquires the lock that allows one process at a time to freeze parts of a data directory, even if another
 * process has the directory open.
 *
 * @throws LockHeld
 */
export function lockFrozen(root: string, options: LockOptions): Promise<HeldLock> {
  return acquireLock(join(root, LOCK_FILE), options);
}

/** Returns the parts that were frozen under a name. `tables` maps the UUID of each table to its name. */
export async function frozenTables(
  enginePath: string,
  name: string,
  tables: ReadonlyMap<string, string>,
): Promise<FrozenTables> {
  const root = join(enginePath, FROZEN_FOLDER, name, "store");
  const found: FrozenTables = new Map();
  for (const group of await entriesOf(root)) {
    for (const id of await entriesOf(join(root, group))) {
      const folder = join(root, group, id);
      const parts = (await entriesOf(folder)).map((part) => ({ name: part, folder: join(folder, part) }));
      const table = tables.get(id);
      if (table !== undefined) found.set(table, parts);
    }
  }
  return found;
}

/** Removes the links to the parts that were frozen under a name. */
export async function removeFrozen(enginePath: string, name: string): Promise<void> {
  await rm(join(enginePath, FROZEN_FOLDER, name), { recursive: true, force: true });
}

/**
 * Removes the links that a killed backup left, which would otherwise take up disk space forever. Must not be
 * called while a backup is running.
 */
export async function removeAllFrozen(enginePath: string): Promise<void> {
  const names = (await entriesOf(join(enginePath, FROZEN_FOLDER))).filter((name) => name.startsWith(PREFIX));
  for (const name of names) await removeFrozen(enginePath, name);
}

/** Like `removeAllFrozen`, but does nothing while a backup is running. */
export async function removeOldFrozen(root: string, enginePath: string): Promise<void> {
  try {
    await requireFree(join(root, LOCK_FILE));
    await removeAllFrozen(enginePath);
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
  }
}

async function entriesOf(folder: string): Promise<string[]> {
  return readdir(folder).catch((error) => {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  });
}
