import { createHash, type Hash } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fetch, type Response } from "undici";
import type { Clock } from "../../lib/async/clock.ts";
import { SlowServer, steadyBody } from "../../lib/async/steady-body.ts";
import { BaseError } from "../../lib/error.ts";
import { addFile } from "../../lib/hash/file-hash.ts";
import { meansFullDisk, networkReason, systemCode } from "../../lib/system-error.ts";

/**
 * Maximum size of a file. Every era is far smaller (the largest are about 1 GiB). It keeps a server from
 * filling the disk.
 */
const MAX_FILE_BYTES = 8 * 2 ** 30;
/** Number of bytes written between two checks of the free disk space. */
const ROOM_CHECK_BYTES = 16 * 2 ** 20;
/** Maximum number of downloads of a file whose checksum is wrong. */
const MAX_ATTEMPTS = 2;
const PARTIAL_CONTENT = 206;
const NO_SUCH_RANGE = 416;

interface WantedFile {
  name: string;
  /** Checksum in hex. */
  sha256: string;
}

/** Throws while the disk has too little free space. */
export type RequireRoom = () => Promise<void>;

interface DownloadConditions {
  requireRoom: RequireRoom;
  clock: Clock;
}

/** Downloads files to a local folder, and keeps each one until it is removed. */
export class Downloads {
  readonly #folder: string;
  readonly #conditions: DownloadConditions;
  /** Names of files whose checksum this process has verified. */
  readonly #verified = new Set<string>();

  constructor(folder: string, conditions: DownloadConditions) {
    this.#folder = folder;
    this.#conditions = conditions;
  }

  /**
   * Returns the path of a complete file with the right checksum. Resumes an interrupted download.
   *
   * @throws DownloadFailed, which is retryable; TooLarge; WrongChecksum; DiskFull; any error that
   * `requireRoom` throws
   */
  async fetch(url: URL, { name, sha256 }: WantedFile, signal: AbortSignal): Promise<string> {
    await mkdir(this.#folder, { recursive: true });
    const path = join(this.#folder, name);
    if (await this.#isKept(path, { name, sha256 }, signal)) return path;
    const part = `${path}.part`;
    for (let attempt = 1; ; attempt++) {
      const found = await download(url, part, { ...this.#conditions, signal });
      if (found === sha256) break;
      await rm(part, { force: true });
      // The transfer may have damaged the file, or a resumed download may have begun with another version.
      if (attempt === MAX_ATTEMPTS) throw new WrongChecksum(url, found, sha256);
    }
    await rename(part, path);
    this.#verified.add(name);
    return path;
  }

  async remove(name: string): Promise<void> {
    this.#verified.delete(name);
    await rm(join(this.#folder, name), { force: true });
  }

  /**
   * Returns whether the folder has an intact copy. A file that an earlier process downloaded may have been
   * damaged since then. A damaged file is deleted.
   */
  async #isKept(path: string, { name, sha256 }: WantedFile, signal: AbortSignal): Promise<boolean> {
    const hash = createHash("sha256");
    if (this.#verified.has(name)) return (await sizeOf(path)) > 0;
    const isWhole = (await addFile(hash, path, signal)) !== null && hash.digest("hex") === sha256;
    if (isWhole) this.#verified.add(name);
    else await rm(path, { force: true });
    return isWhole;
  }
}

interface Transfer extends DownloadConditions {
  signal: AbortSignal;
}

/** Downloads the missing rest of a file. Returns the checksum of the whole file. */
async function download(url: URL, part: string, transfer: Transfer): Promise<string> {
  const { signal } = transfer;
  const hash = createHash("sha256");
  const size = (await addFile(hash, part, signal)) ?? 0;
  try {
    const response = await request(url, size, signal);
    if (response === null) return hash.digest("hex");
    const isRest = response.status === PARTIAL_CONTENT;
    const start = isRest ? { hash, size } : { hash: createHash("sha256"), size: 0 };
    return await save(response, await open(part, isRest ? "a" : "w"), { ...start, ...transfer });
  } catch (cause) {
    if (cause instanceof TooLarge) await rm(part, { force: true });
    if (cause instanceof SlowServer) throw new DownloadFailed(url, cause.message, cause);
    if (cause instanceof BaseError || signal.aborted) throw cause;
    if (meansFullDisk(cause)) throw new DiskFull(part, cause);
    throw new DownloadFailed(url, networkReason(cause), cause);
  }
}

async function save(
  { body }: Response,
  file: FileHandle,
  { hash, size, requireRoom, clock }: { hash: Hash; size: number } & DownloadConditions,
): Promise<string> {
  let written = size;
  let roomFor = 0;
  try {
    for await (const chunk of steadyBody(body, clock)) {
      written += chunk.length;
      roomFor -= chunk.length;
      if (written > MAX_FILE_BYTES) throw new TooLarge();
      if (roomFor < 0) {
        await requireRoom();
        roomFor = ROOM_CHECK_BYTES;
      }
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest("hex");
}

/**
 * Requests the rest of a file. The server may send the whole file instead. Returns null if there is no rest.
 */
async function request(url: URL, from: number, signal: AbortSignal): Promise<Response | null> {
  const headers = from > 0 ? { range: `bytes=${from}-` } : {};
  const response = await fetch(url, { headers, signal });
  if (response.status === NO_SUCH_RANGE) return null;
  if (!response.ok) throw new DownloadFailed(url, `status ${response.status}`);
  return response;
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

class TooLarge extends BaseError {
  constructor() {
    super("verification", `a download has more than ${MAX_FILE_BYTES} bytes`);
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
