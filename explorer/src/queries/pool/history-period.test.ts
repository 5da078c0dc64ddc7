import { expect, it } from "vitest";
import { HISTORY_POINTS, historyPeriod } from "./history-period.ts";

const DAY = 86_400;
const NOW = 1_700_000_123;

/** Returns the number of points that the service returns for a period. */
function pointsOf({ interval, from_timestamp, until_timestamp }: ReturnType<typeof historyPeriod>): number {
  const step = Number.parseInt(interval, 10) * 60;
  return Math.floor(until_timestamp / step) - Math.ceil(from_timestamp / step) + 1;
}

it("has a bounded number of points within the range, none after now", () => {
  for (const range of ["1d", "7d", "30d", "all"] as const) {
    const period = historyPeriod(range, NOW, 0);
    expect(pointsOf(period)).toBe(HISTORY_POINTS);
    expect(period.until_timestamp).toBeLessThanOrEqual(NOW);
  }
  const { interval, from_timestamp } = historyPeriod("7d", NOW, 0);
  expect(NOW - from_timestamp).toBeLessThanOrEqual(7 * DAY + Number.parseInt(interval, 10) * 60);
});

it("does not begin before the pool's creation, and then has shorter intervals", () => {
  const period = historyPeriod("30d", NOW, NOW - DAY);
  expect(period.from_timestamp).toBeGreaterThanOrEqual(NOW - DAY);
  expect(period.interval).toBe("6m");
  expect(pointsOf(period)).toBeGreaterThan(HISTORY_POINTS / 2);
  expect(historyPeriod("all", NOW, NOW - 100 * DAY).from_timestamp).toBeGreaterThanOrEqual(NOW - 100 * DAY);
  expect(historyPeriod("all", NOW, NOW - 5).interval).toBe("1m");
});

it("has a valid range for a pool that was created less than a minute ago", () => {
  const { from_timestamp, until_timestamp } = historyPeriod("7d", NOW, NOW - 1);
  expect(from_timestamp).toBe(until_timestamp);
});

it("stays the same for a while, so that a response is reused", () => {
  expect(historyPeriod("7d", NOW + 60, 0)).toEqual(historyPeriod("7d", NOW, 0));
});
