import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { describe, expect, it } from "vitest";

const FOLDER = import.meta.dirname;
const shipped = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
);

describe("the package", () => {
  it("has no dependencies", () => {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(FOLDER, "../package.json"), "utf8"),
    );
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  });

  it.each(shipped)("%s imports only from its own folder", (name) => {
    const imports = [
      ...readFileSync(join(FOLDER, name), "utf8").matchAll(/(?:from|import)\s*\(?\s*"([^"\n]+)"/g),
    ];
    const outside = imports
      .map(([, path = ""]) => path)
      .filter((path) => !path.startsWith(".") || !join(FOLDER, dirname(name), path).startsWith(FOLDER + sep));
    expect(shipped.length).toBeGreaterThan(10);
    expect(outside).toEqual([]);
  });
});
