import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compileContracts } from "./compile.ts";

describe("compileContracts", () => {
  it("produces exactly the committed artifacts", () => {
    const committed = JSON.parse(readFileSync(new URL("./artifacts.json", import.meta.url), "utf8"));
    expect(compileContracts()).toEqual(committed);
  });
});
