import { expect, it } from "vitest";
import { segmentsOf } from "./segments.ts";

it("parts moments where some are not known", () => {
  const moments = [null, 1, 2, null, null, 3].map((values, time) => ({ time, values }));
  expect(segmentsOf(moments).map((run) => run.map(({ time }) => time))).toEqual([[1, 2], [5]]);
  expect(segmentsOf([{ time: 1, values: null }])).toEqual([]);
});
