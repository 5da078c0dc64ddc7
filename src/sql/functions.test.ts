import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { FUNCTIONS } from "./functions.ts";

/** Without the padding that lines up its tables. */
const DOCS = readFileSync(resolve(import.meta.dirname, "../../docs/sql.md"), "utf8").replace(/ +\|/g, " |");

describe("the functions of the dialect", () => {
  it.each(FUNCTIONS)("docs/sql.md has the row of $name", ({ signature, doc }) => {
    expect(DOCS).toContain(`| \`${signature}\` | ${doc} |`);
  });

  it("have names of their own", () => {
    expect(new Set(FUNCTIONS.map(({ name }) => name)).size).toBe(FUNCTIONS.length);
  });
});
