import { expect, it } from "vitest";
import { sortRows } from "./sort-rows.ts";

const sorted = (values: (string | number | null)[], isDescending = false) =>
  sortRows(
    values.map((x) => ({ x })),
    { column: "x", isDescending },
  ).map(({ x }) => x);

it("sorts numbers by value, even from 2^53 on", () => {
  expect(sorted([10, 9, 0.5])).toEqual([0.5, 9, 10]);
  expect(sorted(["9007199254740995", "9007199254740993", 9007199254740991])).toEqual([
    9007199254740991,
    "9007199254740993",
    "9007199254740995",
  ]);
});

it("keeps nulls last in both directions, and the order of equal rows", () => {
  expect(sorted([null, 1, 2])).toEqual([1, 2, null]);
  expect(sorted([null, 1, 2], true)).toEqual([2, 1, null]);
  const rows = [
    { x: 1, y: "a" },
    { x: 1, y: "b" },
  ];
  expect(sortRows(rows, { column: "x", isDescending: true })).toEqual(rows);
});

it("sorts strings by code unit", () => {
  expect(sorted(["b", "a", "B"])).toEqual(["B", "a", "b"]);
});
