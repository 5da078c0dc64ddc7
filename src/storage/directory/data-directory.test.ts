import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openDataDirectory } from "./data-directory.ts";

const root = mkdtempSync(join(tmpdir(), "quarry-data-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function lockOf(path: string): string {
  return join(path, "quarry.lock");
}

/** Runs a test as an unprivileged user if this process is root, which may write anywhere. */
async function asOrdinaryUser(run: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return run();
  const unprivileged = 65_534;
  process.seteuid?.(unprivileged);
  try {
    await run();
  } finally {
    process.seteuid?.(0);
  }
}

describe("openDataDirectory", () => {
  it("creates a missing directory, and opens it again after its release", async () => {
    const path = join(root, "new", "deep");
    const first = await openDataDirectory(path);
    expect(existsSync(first.enginePath)).toBe(true);
    await first.release();
    expect(existsSync(lockOf(path))).toBe(false);
    const second = await openDataDirectory(path);
    expect(second.enginePath).toBe(first.enginePath);
    await second.release();
  });

  it("rejects a directory that a living process uses, and names the process", async () => {
    const path = join(root, "busy");
    const held = await openDataDirectory(path);
    await expect(openDataDirectory(path)).rejects.toMatchObject({
      code: "data-directory",
      message: expect.stringContaining(`in use by process ${process.pid}`),
    });
    await held.release();
  });

  it("takes over the lock of a process that has ended", async () => {
    const path = join(root, "dead");
    const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
    await once(child, "exit");
    await (await openDataDirectory(path)).release();
    writeFileSync(lockOf(path), JSON.stringify({ pid: child.pid, started: "long ago" }));
    await (await openDataDirectory(path)).release();
  });

  it("takes over the lock if the process id belongs to a later process", async () => {
    const path = join(root, "reused");
    await (await openDataDirectory(path)).release();
    writeFileSync(lockOf(path), JSON.stringify({ pid: process.pid, started: "another boot 1" }));
    await (await openDataDirectory(path)).release();
  });

  it("gives a dead lock to exactly one of many starting processes", async () => {
    const path = join(root, "race");
    await (await openDataDirectory(path)).release();
    writeFileSync(lockOf(path), JSON.stringify({ pid: process.pid, started: "another boot 1" }));
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => openDataDirectory(path)));
    const opened = results.filter((result) => result.status === "fulfilled");
    expect(opened).toHaveLength(1);
    await opened[0]?.value.release();
  });

  it("rejects a directory of another format, and says what to do", async () => {
    const path = join(root, "format");
    await (await openDataDirectory(path)).release();
    writeFileSync(join(path, "quarry-format.json"), '{"format":99}');
    await expect(openDataDirectory(path)).rejects.toThrow(
      /newer version of Quarry wrote .* data format 99, .* formats up to 10\. .*restore a backup/,
    );
    expect(existsSync(lockOf(path))).toBe(false);
  });

  it("accepts a directory that has only downloads yet", async () => {
    const path = join(root, "downloaded");
    mkdirSync(join(path, "downloads"), { recursive: true });
    await (await openDataDirectory(path)).release();
  });

  it("rejects a directory with other content, and does not change it", async () => {
    const path = join(root, "other");
    mkdirSync(path);
    writeFileSync(join(path, "thesis.txt"), "mine");
    await expect(openDataDirectory(path)).rejects.toThrow(
      /not a Quarry data directory \(it contains "thesis.txt"\)/,
    );
    expect(readFileSync(join(path, "thesis.txt"), "utf8")).toBe("mine");
    expect(existsSync(lockOf(path))).toBe(false);
  });

  it("rejects a path that is a file", async () => {
    const path = join(root, "file");
    writeFileSync(path, "");
    await expect(openDataDirectory(path)).rejects.toMatchObject({ code: "data-directory" });
    await expect(openDataDirectory(join(path, "below"))).rejects.toThrow(/file, not a directory/);
  });

  it("rejects a directory without write permission", async () => {
    const path = join(root, "locked");
    mkdirSync(path);
    chmodSync(path, 0o555);
    chmodSync(root, 0o755);
    await asOrdinaryUser(() =>
      expect(openDataDirectory(path)).rejects.toThrow(/has no permission to write there/),
    );
  });

  it("rejects a read-only file system", async () => {
    await expect(openDataDirectory("/proc/quarry")).rejects.toMatchObject({ code: "data-directory" });
  });
});
