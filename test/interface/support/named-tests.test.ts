import { expect, it } from "vitest";
import { hasRunningTest } from "./named-tests.ts";

const FILE = "test/interface/support/named-tests.test.ts";

it("finds a test that always runs", () => {
  expect(hasRunningTest(FILE, "finds a test that always runs")).toBe(true);
});

it.each([
  ["of another title", FILE, "finds nothing"],
  ["that is only a comment", FILE, "is commented out"],
  ["in a file that does not exist", "test/interface/missing.test.ts", "finds a test that always runs"],
  ["in a file that vitest does not run", "test/interface/support/rules.ts", "finds a test that always runs"],
  [
    "that may be skipped",
    "test/cli/terminal.test.ts",
    "shows one line that changes in place, below whatever else is printed",
  ],
])("finds no test %s", (_, file, title) => {
  expect(hasRunningTest(file, title)).toBe(false);
});

// it("is commented out", () => {});
