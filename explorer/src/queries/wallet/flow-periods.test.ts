import { expect, it } from "vitest";
import { fillPeriods, flowPeriod } from "./flow-periods.ts";

it("uses longer periods for longer times", () => {
  const days = (count: number) => flowPeriod(0, count * 86_400).seconds / 3_600;
  expect([days(0), days(3), days(10), days(60), days(400), days(5_000)]).toEqual([1, 1, 4, 24, 168, 720]);
});

it("adds periods without trades", () => {
  const flow = (time: number) => ({ time, bought: 1, sold: 2, unvalued: 0 });
  expect(fillPeriods([flow(100), flow(130)], 10).map(({ time, bought }) => [time, bought])).toEqual([
    [100, 1],
    [110, 0],
    [120, 0],
    [130, 1],
  ]);
  expect(fillPeriods([], 10)).toEqual([]);
});
