import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { withAbort } from "../lib/async/abort.ts";
import { BaseError } from "../lib/error.ts";
import { systemCode } from "../lib/system-error.ts";
import { acquireLock, type HeldLock, LockHeld } from "../storage/directory/process-lock.ts";
import { Unwritable } from "./exported-file.ts";

const LOCK_FILE = "quarry-export.lock";

/**
 * Runs an export into a folder, which is created if it is missing. Only one process at a time may do so: two
 * would write into the same unfinished files, and replace each other's manifest.
 *
 * @throws FolderInUse, Unwritable
 */
export async function exclusively<T>(
  folder: string,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withAbort([signal], async (stop) => {
    const lock = await lockFolder(folder, (error) => stop.abort(error));
    try {
      return await run(stop.signal);
    } finally {
      await lock.release();
    }
  });
}

async function lockFolder(folder: string, onLost: (error: Error) => void): Promise<HeldLock> {
  try {
    await mkdir(folder, { recursive: true });
    return await acquireLock(join(folder, LOCK_FILE), { onLost });
  } catch (error) {
    if (error instanceof LockHeld) throw new FolderInUse(folder, error.holder);
    throw error instanceof BaseError || systemCode(error) === "" ? error : new Unwritable(folder, error);
  }
}

class FolderInUse extends BaseError {
  constructor(folder: string, holder: string) {
    super(
      "busy",
      `Another export is being written to ${folder} (${holder}). Wait until it ends, or give another folder with --out.`,
      { retryable: true },
    );
  }
}
