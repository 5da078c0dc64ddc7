import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fetch, type Response } from "undici";
import { BaseError } from "../../lib/error.ts";
import { meansFullDisk, systemCode } from "../../lib/system-error.ts";

/** Far above any era's size (the largest have about 1 GiB): a server cannot fill the disk. */
const MAX_FILE_BYTES = 8 * 2 ** 30;
/** Downloads of a file with a wrong checksum. */
const MAX_ATTEMPTS = 2;
const PARTIAL_CONTENT = 206;
const NO_SUCH_RANGE = 416;

interface WantedFile {
  name: string;
  /** Checksum in hex. */
  sha256: string;
}

/** Files from the web in a folder of this machine, each until it is removed. */
export class Downloads {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * The path of a complete file with the right checksum. Continues a download that was interrupted.
   *
   * @throws DownloadFailed, which is retryable; WrongChecksum; DiskFull
   */
  async fetch(url: URL, { name, sha256 }: WantedFile, signal: AbortSignal): Promise<string> {
    await mkdir(this.#folder, { recursive: true });
    const path = join(this.#folder, name);
    if ((await sizeOf(path)) > 0) return path;
    const part = `${path}.part`;
    for (let attempt = 1; ; attempt++) {
      const found = await download(url, part, signal);
      if (found === sha256) break;
      await rm(part, { force: true });
      // The transfer may have damaged it, or an interrupted download of another version was continued.
      if (attempt === MAX_ATTEMPTS) throw new WrongChecksum(url, found, sha256);
    }
    await rename(part, path);
    return path;
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }
}

/** Downloads what is missing of a file. Returns the checksum of the whole. */
async function download(url: URL, part: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  const size = await hashFile(part, hash);
  try {
    const response = await request(url, size, signal);
    if (response === null) return hash.digest("hex");
    const isRest = response.status === PARTIAL_CONTENT;
    const start = isRest ? { hash, size } : { hash: createHash("sha256"), size: 0 };
    return await save(response, await open(part, isRest ? "a" : "w"), start);
  } catch (cause) {
    if (cause instanceof BaseError || signal.aborted) throw cause;
    if (meansFullDisk(cause)) throw new DiskFull(part, cause);
    throw new DownloadFailed(url, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

async function save(
  { body }: Response,
  file: FileHandle,
  { hash, size }: { hash: Hash; size: number },
): Promise<string> {
  let written = size;
  try {
    for await (const chunk of body ?? []) {
      written += chunk.length;
      if (written > MAX_FILE_BYTES)
        throw new BaseError("verification", `a download has more than ${MAX_FILE_BYTES} bytes`);
      hash.update(chunk);
      await file.write(chunk);
    }
  } finally {
    await file.close();
  }
  return hash.digest("hex");
}

/** The rest of a file, or the whole; null if there is no rest. */
async function request(url: URL, from: number, signal: AbortSignal): Promise<Response | null> {
  const headers = from > 0 ? { range: `bytes=${from}-` } : {};
  const response = await fetch(url, { headers, signal });
  if (response.status === NO_SUCH_RANGE) return null;
  if (!response.ok) throw new DownloadFailed(url, `status ${response.status}`);
  return response;
}

/** Adds a file to a hash. Returns its size; 0 if it does not exist. */
async function hashFile(path: string, hash: Hash): Promise<number> {
  const size = await sizeOf(path);
  if (size > 0) for await (const chunk of createReadStream(path)) hash.update(chunk);
  return size;
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  });
  return found?.size ?? 0;
}

class DownloadFailed extends BaseError {
  constructor({ host, pathname }: URL, reason: string, cause?: unknown) {
    super("endpoint", `cannot download ${host}${pathname}: ${reason}`, { cause, retryable: true });
  }
}

class WrongChecksum extends BaseError {
  constructor({ host, pathname }: URL, found: string, expected: string) {
    super(
      "verification",
      `${host}${pathname} has the checksum ${found}, but the list of checksums says ${expected}`,
    );
  }
}

class DiskFull extends BaseError {
  constructor(path: string, cause: unknown) {
    super("disk-full", `the disk is full: ${path} cannot be written`, { cause });
  }
}
