import { expect, it } from "vitest";
import { RecentValues } from "./recent-values.ts";

const BOUNDS = [1, 5, 10];

it("has no summary without values", () => {
  expect(new RecentValues(BOUNDS, 3).summary()).toBeNull();
});

it("summarizes one value, and many, by the nearest rank", () => {
  const values = new RecentValues(BOUNDS, 100);
  values.add(7);
  expect(values.summary()).toMatchObject({ p50: 7, p95: 7, count: 1 });
  for (let i = 1; i <= 19; i++) values.add(i);
  expect(values.summary()).toMatchObject({ p50: 9, p95: 18, count: 20 });
});

it("counts the values of each bucket, which includes its bound, and leaves out empty buckets", () => {
  const values = new RecentValues(BOUNDS);
  for (const value of [0, 1, 1.01, 5, 4, 10.5, 200]) values.add(value);
  expect(values.summary()?.histogram).toEqual([
    { above: null, atMost: 1, count: 2 },
    { above: 1, atMost: 5, count: 3 },
    { above: 10, atMost: null, count: 2 },
  ]);
});

it("forgets the oldest values", () => {
  const values = new RecentValues(BOUNDS, 2);
  for (const value of [100, 1, 2]) values.add(value);
  const histogram = [
    { above: null, atMost: 1, count: 1 },
    { above: 1, atMost: 5, count: 1 },
  ];
  expect(values.summary()).toEqual({ p50: 1, p95: 2, count: 2, histogram });
});
