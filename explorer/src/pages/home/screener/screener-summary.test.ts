import { expect, it } from "vitest";
import { summaryOf } from "./screener-summary.ts";

it.each([
  [{ total: 80, hiddenWash: 0, isLimited: false }, "50 of 80, updated with each block."],
  [
    { total: 500, hiddenWash: 2, isLimited: true },
    "50 of 500, updated with each block. More than 500 pools match; narrower filters show the others. " +
      "2 pools with only wash trades are left out.",
  ],
])("says how many rows a list has, and what is missing", (counts, text) => {
  expect(summaryOf({ rows: { length: 50 }, ...counts }, "pool")).toBe(text);
});
