import { createHash, randomUUID } from "node:crypto";
import { link, lstat, lutimes, readFile, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import { meansFullDisk, systemCode } from "../../lib/system-error.ts";
import { type Holder, shortTextOf, textOf } from "./lock-holder.ts";

/**
 * Creates a lock. It appears with its complete content, so that no process reads a partly written one.
 *
 * @returns false if it already exists
 */
export async function createLock(file: string, holder: Holder): Promise<boolean> {
  try {
    await createFile(file, textOf(holder)).catch((error) => createLink(file, holder, error));
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Reads the text of a lock; undefined if there is none. */
export async function readLock(file: string): Promise<string | undefined> {
  return unlessMissing(
    readlink(file).catch((error) => {
      if (systemCode(error) !== "EINVAL") throw error;
      return readFile(file, "utf8");
    }),
  );
}

/** Replaces a lock. Must not be called for a lock that another living process may hold. */
export async function replaceLock(file: string, holder: Holder): Promise<void> {
  const draft = draftOf(file);
  try {
    await writeFile(draft, textOf(holder)).catch(async (error) => {
      await rm(draft, { force: true });
      await createLink(draft, holder, error);
    });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Replaces a dead lock with ours. Several processes may find the same dead lock, so each first claims it with
 * a file whose name is derived from the lock's text. Only the process that created the claim may replace the
 * lock, and only if the lock is unchanged. If a process dies with its claim, the claim with the next number
 * is used.
 *
 * @returns false if another process was faster; the caller must retry
 */
export async function takeOverLock(
  file: string,
  dead: string,
  { own, isAlive }: { own: Holder; isAlive(claim: string, text: string): Promise<boolean> },
): Promise<boolean> {
  const digest = createHash("sha256").update(dead).digest("hex").slice(0, 16);
  for (let number = 0; ; number++) {
    const claim = `${file}.${digest}-${number}`;
    if (await createLock(claim, own)) return replaceDead(file, dead, { own, claim });
    const claimant = await readLock(claim);
    if (claimant === undefined || (await isAlive(claim, claimant))) return false;
  }
}

/** Records that the holder is running. */
export async function touchLock(file: string, nowMs: number): Promise<void> {
  await unlessMissing(lutimes(file, nowMs / 1_000, nowMs / 1_000));
}

/** Returns when a lock was last touched, by the holder's clock; undefined if there is none. */
export async function touchedAt(file: string): Promise<number | undefined> {
  return (await unlessMissing(lstat(file)))?.mtimeMs;
}

async function createFile(file: string, text: string): Promise<void> {
  const draft = draftOf(file);
  try {
    await writeFile(draft, text);
    await link(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Stores the text as the target of a symbolic link, which works on a full disk, so that data on this disk can
 * still be served.
 */
async function createLink(file: string, holder: Holder, failure: unknown): Promise<void> {
  if (!meansFullDisk(failure)) throw failure;
  await symlink(shortTextOf(holder), file);
}

function draftOf(file: string): string {
  return `${file}.${randomUUID()}`;
}

async function replaceDead(
  file: string,
  dead: string,
  { own, claim }: { own: Holder; claim: string },
): Promise<boolean> {
  try {
    if ((await readLock(file)) !== dead) return false;
    await replaceLock(file, own);
    return true;
  } finally {
    await rm(claim, { force: true });
  }
}

async function unlessMissing<T>(done: Promise<T>): Promise<T | undefined> {
  return done.catch((error) => {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  });
}
