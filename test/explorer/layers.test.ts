import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const SOURCE = join(ROOT, "explorer", "src");
const MAX_FOLDER_FILES = 15;
/**
 * Folders whose subfolders are independent: no page imports another page, and no feature imports another
 * feature.
 */
const INDEPENDENT = ["pages", "features"];

const files = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(SOURCE, join(entry.parentPath, entry.name)));
const imports = new Map(
  files.filter((file) => /\.tsx?$/.test(file)).map((file) => [file, importsOf(file)] as const),
);

/**
 * Reads the explorer's layer table in docs/internals/layers.md: the folders that each folder may import,
 * besides itself.
 */
function layerTable(): Map<string, string[]> {
  const rows = readFileSync(join(ROOT, "docs/internals/layers.md"), "utf8").matchAll(
    /^\| `explorer\/src\/([\w-]+)` \|.*\| ([^|]*) \|$/gm,
  );
  return new Map([...rows].map(([, folder = "", allowed = ""]) => [folder, allowed.match(/\w+/g) ?? []]));
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(SOURCE, file), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"?]+)/g)].map(([, target = ""]) =>
    relative(SOURCE, resolve(SOURCE, dirname(file), target)),
  );
}

const layerOf = (file: string) => file.split(sep)[0] ?? "";
const subfolderOf = (file: string) => file.split(sep)[1] ?? "";

function layersImportedBy(layer: string): string[] {
  const own = [...imports].filter(([file]) => layerOf(file) === layer);
  return [...new Set(own.flatMap(([, targets]) => targets.map(layerOf)))].filter((each) => each !== layer);
}

/** Returns the files of an import cycle in order, or an empty list if there is none. */
function cycle(): string[] {
  const done = new Set<string>();
  const search = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return path.slice(path.indexOf(file));
    if (done.has(file)) return [];
    for (const target of imports.get(file) ?? []) {
      const found = search(target, [...path, file]);
      if (found.length > 0) return found;
    }
    done.add(file);
    return [];
  };
  for (const file of imports.keys()) {
    const found = search(file, []);
    if (found.length > 0) return found;
  }
  return [];
}

describe("the layers of the explorer", () => {
  const table = layerTable();

  it("are all in the layer table, and no file is outside of them", () => {
    expect([...table.keys()].sort()).toEqual([...new Set(files.map(layerOf))].sort());
  });

  it.each([...table])("explorer/src/%s imports exactly the layers that the table names", (layer, allowed) => {
    expect(layersImportedBy(layer).sort()).toEqual(allowed.toSorted());
  });

  it("are ordered: each imports only layers that are above it in the table", () => {
    const order = [...table.keys()];
    const upward = [...table].flatMap(([layer, allowed]) =>
      allowed.filter((each) => order.indexOf(each) >= order.indexOf(layer)).map((each) => [layer, each]),
    );
    expect(upward).toEqual([]);
  });

  it("have no import cycles between files", () => expect(cycle()).toEqual([]));

  it.each(INDEPENDENT)("%s do not import each other", (layer) => {
    const shared = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => layerOf(file) === layer && layerOf(target) === layer)
        .filter((target) => subfolderOf(target) !== subfolderOf(file))
        .map((target) => [file, target]),
    );
    expect(shared).toEqual([]);
  });

  it(`have at most ${MAX_FOLDER_FILES} files in a folder`, () => {
    const folders = [...new Set(files.map((file) => dirname(file)))];
    const filesIn = (folder: string) => files.filter((file) => dirname(file) === folder).length;
    expect(folders.filter((folder) => filesIn(folder) > MAX_FOLDER_FILES)).toEqual([]);
  });
});
