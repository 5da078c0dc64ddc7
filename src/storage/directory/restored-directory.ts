import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { BaseError } from "../../lib/error.ts";
import { replaceFile } from "../../lib/replace-file.ts";
import {
  createDirectory,
  ENGINE_FOLDER,
  FORMAT_FILE,
  FORMAT_TEXT,
  HARMLESS_ENTRIES,
  LOCK_FILE,
  RESTORE_FILE,
} from "./data-directory.ts";
import { acquireLock, type LockOptions } from "./process-lock.ts";

/** A data directory that is being restored. No command opens it before it is complete. */
export interface RestoredDirectory {
  path: string;
  /** The engine's own directory: empty at first. */
  enginePath: string;
  /** Turns the folder into a data directory. Close the engine first. */
  complete(): Promise<void>;
  /** Removes everything that was written. Close the engine first. */
  abandon(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Prepares a folder for a restore. It must be empty, or left by an interrupted restore. It is created if it
 * is missing.
 *
 * @throws NotEmpty, LockHeld
 */
export async function openRestoredDirectory(
  path: string,
  options: LockOptions = {},
): Promise<RestoredDirectory> {
  const root = resolve(path);
  await createDirectory(root);
  await requireEmpty(root);
  const lock = await acquireLock(join(root, LOCK_FILE), options);
  const enginePath = join(root, ENGINE_FOLDER);
  const marker = join(root, RESTORE_FILE);
  const empty = () => rm(enginePath, { recursive: true, force: true });
  try {
    // Another restore may have completed the directory before this one got the lock.
    await requireEmpty(root);
    await writeFile(marker, "{}\n");
    await empty();
    await mkdir(enginePath);
  } catch (error) {
    await lock.release();
    throw error;
  }
  return {
    path: root,
    enginePath,
    complete: async () => {
      await replaceFile(join(root, FORMAT_FILE), FORMAT_TEXT);
      await rm(marker);
    },
    abandon: async () => {
      await empty();
      await rm(marker, { force: true });
    },
    release: () => lock.release(),
  };
}

async function requireEmpty(root: string): Promise<void> {
  const entries = (await readdir(root)).filter((entry) => !HARMLESS_ENTRIES.has(entry));
  const isIncomplete = entries.includes(RESTORE_FILE) && !entries.includes(FORMAT_FILE);
  if (isIncomplete) return;
  const found = entries.find((entry) => !entry.startsWith(LOCK_FILE));
  if (found !== undefined) throw new NotEmpty(root, found);
}

class NotEmpty extends BaseError {
  constructor(path: string, entry: string) {
    super(
      "data-directory",
      `Cannot restore into ${path}: it is not empty (it contains ${JSON.stringify(entry)}). ` +
        "Choose an empty or new directory with --data.",
    );
  }
}
