import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { BaseError } from "../../lib/error.ts";
import { fileBytes } from "../../lib/regular-file.ts";
import { meansFullDisk, systemCode } from "../../lib/system-error.ts";
import { nearestExisting } from "../../storage/directory/data-directory.ts";
import { freeBytes } from "../../storage/directory/disk-space.ts";
import { acquireLock, LockHeld } from "../../storage/directory/process-lock.ts";
import type { BackupTarget, StoredFile } from "./target.ts";
import { MissingFile, TargetInUse } from "./target-errors.ts";

/** Suffix of the name of a file that is being written. */
const DRAFT = ".part";
const LOCK_FILE = "quarry-backups.lock";

/** Opens a folder for backups; it is created by the first write. */
export function folderTarget(folder: string): BackupTarget {
  return new FolderTarget(folder);
}

class FolderTarget implements BackupTarget {
  readonly place: string;
  /**
   * Several files are written at a time, because most parts are small, and syncing one takes as long as
   * writing it.
   */
  readonly parallel = 4;

  constructor(folder: string) {
    this.place = folder;
  }

  async list(prefix: string): Promise<StoredFile[]> {
    const files = (await this.#files(dirname(`${prefix}_`))).filter(
      (name) => name.startsWith(prefix) && !name.endsWith(DRAFT),
    );
    return Promise.all(
      files.map(async (name) => ({ name, bytes: (await stat(join(this.place, name))).size })),
    );
  }

  async *read(name: string): AsyncGenerator<Uint8Array> {
    const path = join(this.place, name);
    try {
      await fileBytes(path);
      yield* createReadStream(path, { highWaterMark: READ_BYTES });
    } catch (error) {
      if (error instanceof BaseError) throw error;
      if (systemCode(error) === "ENOENT") throw new MissingFile(this.place, name);
      if (systemCode(error) === "") throw error;
      throw new Unreadable(path, error);
    }
  }

  async write(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const path = join(this.place, name);
    const draft = `${path}${DRAFT}`;
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeDraft(draft, chunks);
      await rename(draft, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      if (error instanceof BaseError || systemCode(error) === "") throw error;
      throw new Unwritable(path, error);
    }
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) await rm(join(this.place, name), { force: true });
  }

  async freeBytes(): Promise<number | null> {
    return freeBytes(nearestExisting(this.place)).catch(() => null);
  }

  async lock(onLost: (error: Error) => void): Promise<{ release(): Promise<void> }> {
    try {
      await mkdir(this.place, { recursive: true });
      const lock = await acquireLock(join(this.place, LOCK_FILE), { onLost });
      for (const name of await this.#files(".")) {
        if (name.endsWith(DRAFT)) await rm(join(this.place, name), { force: true });
      }
      return lock;
    } catch (error) {
      if (error instanceof LockHeld) throw new TargetInUse(this.place, error.holder);
      throw systemCode(error) === "" || error instanceof BaseError
        ? error
        : new Unwritable(this.place, error);
    }
  }

  /**
   * Returns the names of the files below a folder. A name is the path within the target, with `/` as
   * separator.
   */
  async #files(folder: string): Promise<string[]> {
    const root = join(this.place, folder);
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch((error) => {
      if (systemCode(error) === "ENOENT") return [];
      throw new Unreadable(root, error);
    });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.place, join(entry.parentPath, entry.name)).split(sep).join("/"));
  }
}

const READ_BYTES = 1024 ** 2;

async function writeDraft(draft: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(draft, "w");
  try {
    for await (const chunk of chunks) await handle.writeFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Syncs a folder. Without this, a power loss may undo the renaming of a file. Some file systems do not
 * support it.
 */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

class Unwritable extends BaseError {
  constructor(path: string, cause: unknown) {
    const isFull = meansFullDisk(cause);
    const advice = isFull ? "The disk is full: free some space and run the backup again." : "";
    super(
      isFull ? "disk-full" : "bad-config",
      `Cannot write ${path}: ${systemCode(cause)}. ${advice}`.trimEnd(),
      { cause },
    );
  }
}

class Unreadable extends BaseError {
  constructor(path: string, cause: unknown) {
    super("verification", `Cannot read ${path}: ${systemCode(cause)}.`, { cause });
  }
}
