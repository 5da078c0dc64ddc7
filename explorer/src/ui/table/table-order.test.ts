import { expect, it } from "vitest";
import { nextOrder, sortedBy } from "./table-order.ts";

const VALUES = [2, null, 10, -1, undefined, 10];

it("sorts numbers, unknown values last in both directions", () => {
  expect(sortedBy(VALUES, (value) => value, "descending")).toEqual([10, 10, 2, -1, null, undefined]);
  expect(sortedBy(VALUES, (value) => value, "ascending")).toEqual([-1, 2, 10, 10, null, undefined]);
});

it("sorts strings alphabetically, ignoring case", () => {
  expect(sortedBy(["b", "A", "c"], (text) => text, "ascending")).toEqual(["A", "b", "c"]);
});

it("starts with the largest number or the first string, and reverses on the second click", () => {
  expect(nextOrder(undefined, "TVL", false)).toEqual({ title: "TVL", direction: "descending" });
  expect(nextOrder({ title: "TVL", direction: "descending" }, "TVL", false).direction).toBe("ascending");
  expect(nextOrder({ title: "TVL", direction: "descending" }, "Token", true).direction).toBe("ascending");
});
