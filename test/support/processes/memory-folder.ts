import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** A simulated run takes about 20 MB, but a container may have only a few MB of shared memory. */
const LEAST_BYTES = 1_000_000_000;

/**
 * Creates a temporary folder, in memory if the machine has room. Simulated runs mostly write and remove
 * thousands of small files, which takes 2.5 times as long on disk.
 */
export function memoryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), "quarry-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > LEAST_BYTES;
  } catch {
    return false;
  }
}
