import { expect, it } from "vitest";
import { barStart, longestBar, nextBarStart, type Resolution } from "./resolution.ts";

const at = (text: string) => Date.parse(`${text}Z`) / 1000;

it.each([
  ["seconds", 7_200, "2024-03-05T11:00:00", "2024-03-05T10:00:00", "2024-03-05T12:00:00"],
  ["weeks", 1, "2024-03-05T11:00:00", "2024-03-04T00:00:00", "2024-03-11T00:00:00"],
  ["weeks", 1, "2024-03-03T23:59:59", "2024-02-26T00:00:00", "2024-03-04T00:00:00"],
  ["weeks", 1, "2024-03-04T00:00:00", "2024-03-04T00:00:00", "2024-03-11T00:00:00"],
  ["weeks", 2, "1970-01-20T00:00:00", "1970-01-19T00:00:00", "1970-02-02T00:00:00"],
  ["months", 1, "2024-02-29T23:59:59", "2024-02-01T00:00:00", "2024-03-01T00:00:00"],
  ["months", 1, "2023-12-31T23:59:59", "2023-12-01T00:00:00", "2024-01-01T00:00:00"],
  ["months", 3, "2024-06-30T00:00:00", "2024-04-01T00:00:00", "2024-07-01T00:00:00"],
  ["months", 12, "2024-06-30T00:00:00", "2024-01-01T00:00:00", "2025-01-01T00:00:00"],
] as const)("a bar of %s, %i, at %s starts at %s and ends at %s", (unit, count, time, start, end) => {
  const resolution: Resolution = { unit, count };
  expect(barStart(resolution, at(time))).toBe(at(start));
  expect(nextBarStart(resolution, at(start))).toBe(at(end));
  expect(at(end) - at(start)).toBeLessThanOrEqual(longestBar(resolution));
});
