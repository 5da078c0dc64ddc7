import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/processes/processes.ts";
import { EraFile } from "../e2store/era-file.ts";
import { TextFile } from "./text/text-file.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

it.each([
  ["blocks.era1", EraFile.open],
  ["blocks.csv", TextFile.open],
])("a pipe called %s is refused, because reading it may never end", async (name, open) => {
  const path = join(folder.path, name);
  execFileSync("mkfifo", [path]);
  await expect(open(path)).rejects.toThrow(`Cannot read ${path}: it is not a regular file.`);
});
