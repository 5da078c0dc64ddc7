import { createHash } from "node:crypto";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { BaseError } from "../lib/error.ts";
import { addFile } from "../lib/hash/file-hash.ts";
import { meansFullDisk, systemCode } from "../lib/system-error.ts";
import type { ManifestFile } from "./manifest.ts";

/** Writes a file. It gets its final name only when it is complete and on disk. */
export async function writeExported(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Omit<ManifestFile, "rows">> {
  const draft = `${path}.part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    const written = await writeDraft(draft, chunks);
    await rename(draft, path);
    return written;
  } catch (error) {
    await rm(draft, { force: true });
    throw systemCode(error) !== "" && !(error instanceof BaseError) ? new Unwritable(path, error) : error;
  }
}

async function writeDraft(
  draft: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Omit<ManifestFile, "rows">> {
  const handle = await open(draft, "w");
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest("hex") };
}

/**
 * Returns whether a file has exactly the bytes that were written; null if there is no file. Reads only a file
 * of the right size: a device or a pipe may never end.
 */
export async function isUnchanged(
  path: string,
  { bytes, sha256 }: ManifestFile,
  signal: AbortSignal,
): Promise<boolean | null> {
  const hash = createHash("sha256");
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size !== bytes) return false;
    const read = await addFile(hash, path, signal);
    return read === null ? null : read === bytes && hash.digest("hex") === sha256;
  } catch (error) {
    signal.throwIfAborted();
    if (systemCode(error) === "ENOENT") return null;
    throw new Unreadable(path, error);
  }
}

export class Unwritable extends BaseError {
  constructor(path: string, cause: unknown) {
    const isFull = meansFullDisk(cause);
    const advice = isFull
      ? "The disk is full: free some space and run the export again; it resumes."
      : "Give another folder with --out.";
    super(isFull ? "disk-full" : "bad-config", `Cannot write ${path}: ${systemCode(cause)}. ${advice}`, {
      cause,
    });
  }
}

class Unreadable extends BaseError {
  constructor(path: string, cause: unknown) {
    super("verification", `Cannot read ${path}: ${systemCode(cause)}.`, { cause });
  }
}
