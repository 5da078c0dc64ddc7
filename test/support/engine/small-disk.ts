import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  path: string;
  resize(size: string): void;
  unmount(): void;
}

/** Mounts a real file system of the given size. Returns null if the process may not mount one. */
export function mountSmallDisk(size: string): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), "quarry-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path], { stdio: "ignore" });
  } catch {
    rmSync(path, { recursive: true });
    return null;
  }
  return {
    path,
    resize: (to) => void execFileSync("mount", ["-o", `remount,size=${to}`, path]),
    unmount() {
      execFileSync("umount", [path]);
      rmSync(path, { recursive: true });
    },
  };
}

/** Writes to a file until its disk has no room for another byte. */
export function fillDisk(file: string): void {
  const handle = openSync(file, "a");
  try {
    for (const size of [1_048_576, 4_096, 1]) writeUntilFull(handle, Buffer.alloc(size));
  } finally {
    closeSync(handle);
  }
}

function writeUntilFull(handle: number, piece: Buffer): void {
  try {
    for (;;) writeSync(handle, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
