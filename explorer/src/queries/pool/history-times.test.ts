import { expect, it } from "vitest";
import { HISTORY_POINTS, historyTimes } from "./history-times.ts";

const DAY = 86_400;
const NOW = 1_700_000_123;

it("returns a bounded number of times within the range, none after now", () => {
  for (const range of ["1d", "7d", "30d", "all"] as const) {
    const times = historyTimes(range, NOW, 0);
    expect(times).toHaveLength(HISTORY_POINTS);
    expect(times.at(-1)).toBeLessThanOrEqual(NOW);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  }
  const [first = 0, second = 0] = historyTimes("7d", NOW, 0);
  expect(NOW - first).toBeLessThanOrEqual(7 * DAY + (second - first));
});

it("returns no time before the pool's creation", () => {
  const times = historyTimes("30d", NOW, NOW - DAY);
  expect(times[0]).toBeGreaterThanOrEqual(NOW - DAY);
  expect(times.length).toBeGreaterThan(HISTORY_POINTS / 2);
  expect(historyTimes("all", NOW, NOW - 100 * DAY)[0]).toBeGreaterThanOrEqual(NOW - 100 * DAY);
});

it("returns the same times for a while, so that responses can be cached", () => {
  expect(historyTimes("7d", NOW + 60, 0)).toEqual(historyTimes("7d", NOW, 0));
});
