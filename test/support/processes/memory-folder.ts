import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** A simulated run takes about 20 MB; a container may have only a few MB of shared memory. */
const LEAST_BYTES = 1_000_000_000;

/**
 * A temporary folder, in memory if the machine has the room: writing and removing thousands of
 * small files is most of what simulated runs do, and takes 2.5 times as long on disk.
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
