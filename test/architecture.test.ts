import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");

/** The layer table of ARCHITECTURE.md: what each folder of src/ may import besides itself. */
const MAY_IMPORT = layerTable();

function layerTable(): Map<string, string[]> {
  const rows = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8")
    .split("\n")
    .map((line) => line.match(/^\| `([\w-]+)` \|.*\| ([^|]*) \|$/))
    .filter((match) => match !== null);
  const folders = rows.map((match) => match[1] ?? "");
  return new Map(
    rows.map((match) => {
      const allowed = match[2] ?? "";
      return [match[1] ?? "", allowed === "all" ? folders : (allowed.match(/[\w-]+/g) ?? [])];
    }),
  );
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.parentPath.includes("node_modules"),
    )
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const isTest = (file: string) => file.endsWith(".test.ts") || file.includes(`${sep}support${sep}`);
const sources = filesUnder("src").filter((file) => !isTest(file));
const folderOf = (file: string) => file.split(sep)[1] ?? "";

function importsOf(file: string): string[] {
  return [...read(file).matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g)].map((match) =>
    relative(ROOT, resolve(ROOT, dirname(file), match[1] ?? "")),
  );
}

describe("architecture", () => {
  it("reads a layer table with every folder of src/", () => {
    const folders = readdirSync(join(ROOT, "src"));
    expect([...MAY_IMPORT.keys()].sort()).toEqual(folders.sort());
  });

  it.each(sources)("%s imports only from layers that its own may know", (file) => {
    const allowed = new Set([folderOf(file), ...(MAY_IMPORT.get(folderOf(file)) ?? [])]);
    const wrong = importsOf(file).filter((imported) =>
      imported.startsWith(`src${sep}`) ? !allowed.has(folderOf(imported)) : folderOf(file) !== "cli",
    );
    expect(wrong).toEqual([]);
  });

  it.each(["schema", "decode", "pricing", "sql"])("src/%s does no input or output", (folder) => {
    const impure = sources
      .filter((file) => folderOf(file) === folder)
      .filter((file) =>
        /from "(node:(fs|net|http|https|child_process|dns|timers)|undici|chdb|@clickhouse)/.test(read(file)),
      );
    expect(impure).toEqual([]);
  });

  it("keeps files readable in one go", () => {
    const tracked = [...filesUnder("src"), ...filesUnder("devnet"), ...filesUnder("test")];
    const long = tracked.filter((file) => read(file).split("\n").length > 401);
    expect(long).toEqual([]);
  });

  it("raises only errors that carry a code", () => {
    const bare = [...sources, ...filesUnder("devnet").filter((file) => !isTest(file))].filter((file) =>
      /\bnew (Error|TypeError|RangeError)\(/.test(read(file)),
    );
    expect(bare).toEqual([]);
  });

  it("tests every protocol family on real logs", () => {
    const families = readdirSync(join(ROOT, "src/decode/swaps")).filter((name) => !name.includes(".test."));
    const untested = families.filter(
      (name) => !existsSync(join(ROOT, "src/decode/swaps", name.replace(".ts", ".test.ts"))),
    );
    expect(untested).toEqual([]);
  });

  it("names every folder of the repository in ARCHITECTURE.md", () => {
    const page = read("ARCHITECTURE.md");
    const folders = ["src", "devnet", "test", "docs", "bin"];
    expect(folders.filter((folder) => !page.includes(`${folder}/`))).toEqual([]);
  });

  it("has no folder names that say nothing", () => {
    const named = [...sources, ...filesUnder("devnet")].filter((file) =>
      /(^|[/\\-])(utils?|helpers?|common|misc|manager|service)([-.\\/]|$)/.test(file),
    );
    expect(named).toEqual([]);
  });
});
