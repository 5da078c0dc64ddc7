import { expect, it } from "vitest";
import { nextOrder, ranked } from "./table-order.ts";

const RANKS = [2, null, 10, -1, undefined, 10];

it("ranks by figures, what is not known last, whichever way", () => {
  expect(ranked(RANKS, (rank) => rank, "descending")).toEqual([10, 10, 2, -1, null, undefined]);
  expect(ranked(RANKS, (rank) => rank, "ascending")).toEqual([-1, 2, 10, 10, null, undefined]);
});

it("ranks texts as people do", () => {
  expect(ranked(["b", "A", "c"], (text) => text, "ascending")).toEqual(["A", "b", "c"]);
});

it("begins with the largest figure, or the first text, and turns round when asked again", () => {
  expect(nextOrder(undefined, "TVL", false)).toEqual({ title: "TVL", direction: "descending" });
  expect(nextOrder({ title: "TVL", direction: "descending" }, "TVL", false).direction).toBe("ascending");
  expect(nextOrder({ title: "TVL", direction: "descending" }, "Token", true).direction).toBe("ascending");
});
