import { statfs } from "node:fs/promises";
import { BaseError } from "../../lib/error.ts";

const MIB = 2 ** 20;

/**
 * After a stop, writing resumes once this many times the reserve is free. Without a margin, it would stop
 * again at once.
 */
const RESUME_FACTOR = 1.1;

/** Returns the number of bytes that this user can still write to the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Keeps some bytes of a disk free, so that writing stops before the engine runs out of space during a write.
 */
export class DiskReserve {
  readonly #folder: string;
  readonly #reserveBytes: number;
  #isLow = false;

  constructor(folder: string, reserveBytes: number) {
    this.#folder = folder;
    this.#reserveBytes = reserveBytes;
  }

  /** @throws DiskLow while less than the reserve is free, and from then on until a little more is free */
  async requireRoom(): Promise<void> {
    const neededBytes = this.#isLow ? this.#reserveBytes * RESUME_FACTOR : this.#reserveBytes;
    const free = await freeBytes(this.#folder).catch(() => null);
    // Some disks, such as network drives, do not report their free space. Only errors show that they are
    // full.
    if (free === null) return;
    this.#isLow = free < neededBytes;
    if (this.#isLow) throw new DiskLow(free, neededBytes);
  }
}

class DiskLow extends BaseError {
  constructor(free: number, neededBytes: number) {
    super(
      "disk-full",
      `The disk that holds the data is almost full: ${Math.floor(free / MIB)} MiB are free, and indexing needs ` +
        `${Math.ceil(neededBytes / MIB)} MiB (--disk-reserve). Free some space; indexing then continues by itself.`,
      { retryable: true },
    );
  }
}
