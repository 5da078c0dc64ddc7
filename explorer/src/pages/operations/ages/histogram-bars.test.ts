import { expect, it } from "vitest";
import { barsOf, boundText, positionOf } from "./histogram-bars.ts";

it("has a logarithmic axis, at whose ends very young and very old blocks are", () => {
  expect([0, 0.02, Math.sqrt(0.02 * 600), 600, 9_999].map((age) => Math.round(positionOf(age)))).toEqual([
    0, 0, 50, 100, 100,
  ]);
});

it("draws a bar for each bucket, the largest with the full height", () => {
  const bars = barsOf([
    { above: null, at_most: 0.05, blocks: 1 },
    { above: 1, at_most: 1.5, blocks: 40 },
    { above: 300, at_most: null, blocks: 10 },
  ]);
  expect(bars.map(({ height }) => height)).toEqual([2.5, 100, 25]);
  expect(bars.map(({ hint }) => hint)).toEqual([
    "1 block up to 50 ms",
    "40 blocks from 1 s to 1.5 s",
    "10 blocks older than 5 min",
  ]);
  const [youngest, , oldest] = bars;
  expect(youngest?.left).toBe(0);
  expect((oldest?.left ?? 0) + (oldest?.width ?? 0)).toBeCloseTo(100);
});

it("names ages in the unit that a reader expects", () => {
  expect([0.1, 1, 10, 60].map(boundText)).toEqual(["100 ms", "1 s", "10 s", "1 min"]);
});
