import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const LOOSE = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "bench/RESULTS.md"];
const FOLDERS = ["docs", "sdk", "devnet", "test/data"];

const pages = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
    .map((name) => join(folder, name)),
);

/** If a line has both a fence and text, the rest of the page may be hidden, or code may be shown as text. */
it.each([...LOOSE, ...pages])("each code block of %s begins and ends on a line of its own", (page) => {
  const lines = readFileSync(join(ROOT, page), "utf8").split("\n");
  const fences = lines.filter((line) => line.includes("```"));
  expect(fences.filter((line) => !/^ *```[\w-]*$/.test(line))).toEqual([]);
  // Only the fence at the beginning of a block may name a language.
  const ends = fences.filter((_, i) => i % 2 === 1);
  expect([fences.length % 2, ends.filter((line) => line.trim() !== "```")]).toEqual([0, []]);
});
