import { expect, it } from "vitest";
import { segmentsOf } from "./segments.ts";

it("splits time points where values are unknown", () => {
  const points = [null, 1, 2, null, null, 3].map((values, time) => ({ time, values }));
  expect(segmentsOf(points).map((segment) => segment.map(({ time }) => time))).toEqual([[1, 2], [5]]);
  expect(segmentsOf([{ time: 1, values: null }])).toEqual([]);
});
