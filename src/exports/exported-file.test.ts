import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/processes/processes.ts";
import { isUnchanged } from "./exported-file.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const signal = new AbortController().signal;
const CONTENT = "block_number\n1\n";
const sha256 = createHash("sha256").update(CONTENT).digest("hex");
const file = { rows: 1, bytes: CONTENT.length, sha256 };

function path(name: string): string {
  return join(folder.path, name);
}

it("recognizes a file by its bytes, also through a symbolic link", async () => {
  writeFileSync(path("same.csv"), CONTENT);
  symlinkSync(path("same.csv"), path("link.csv"));
  expect(await isUnchanged(path("same.csv"), file, signal)).toBe(true);
  expect(await isUnchanged(path("link.csv"), file, signal)).toBe(true);
  writeFileSync(path("other.csv"), CONTENT.replace("1", "2"));
  expect(await isUnchanged(path("other.csv"), file, signal)).toBe(false);
  expect(await isUnchanged(path("none.csv"), file, signal)).toBe(null);
});

it("reads nothing that is no file of this size: it could be endless", { timeout: 5_000 }, async () => {
  symlinkSync("/dev/zero", path("zero.csv"));
  execFileSync("sh", ["-c", 'mkfifo "$0"', path("pipe.csv")]);
  writeFileSync(path("sparse.csv"), CONTENT);
  truncateSync(path("sparse.csv"), 2 ** 40);
  for (const name of ["zero.csv", "pipe.csv", "sparse.csv"])
    expect(await isUnchanged(path(name), file, signal)).toBe(false);
});
