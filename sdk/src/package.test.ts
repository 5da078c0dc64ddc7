import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const FOLDER = import.meta.dirname;
const shipped = readdirSync(FOLDER).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));

describe("the package", () => {
  it("depends on nothing", () => {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(FOLDER, "../package.json"), "utf8"),
    );
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  });

  it.each(shipped)("%s imports only from its own folder", (name) => {
    const imports = [
      ...readFileSync(join(FOLDER, name), "utf8").matchAll(/(?:from|import)\s*\(?\s*"([^"\n]+)"/g),
    ];
    expect(imports.map(([, path]) => path).filter((path) => !/^\.\/[\w-]+\.ts$/.test(path ?? ""))).toEqual(
      [],
    );
  });
});
