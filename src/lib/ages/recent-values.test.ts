import { expect, it } from "vitest";
import { RecentValues } from "./recent-values.ts";

it("has no summary without values", () => {
  expect(new RecentValues(3).summary()).toBeNull();
});

it("summarizes one value, and many, by the nearest rank", () => {
  const values = new RecentValues(100);
  values.add(7);
  expect(values.summary()).toEqual({ p50: 7, p95: 7, count: 1 });
  for (let i = 1; i <= 19; i++) values.add(i);
  expect(values.summary()).toEqual({ p50: 9, p95: 18, count: 20 });
});

it("forgets the oldest values", () => {
  const values = new RecentValues(2);
  for (const value of [100, 1, 2]) values.add(value);
  expect(values.summary()).toEqual({ p50: 1, p95: 2, count: 2 });
});
