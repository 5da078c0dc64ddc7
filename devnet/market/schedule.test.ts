import { describe, expect, it } from "vitest";
import { gapTimes, historyTimes } from "./schedule.ts";

const END = 1_700_000_000;
const DAY = 86_400;

describe("historyTimes", () => {
  it("ascends to the end and is densest there", () => {
    const times = historyTimes(END - 14 * DAY, END);
    expect(times.at(-1)).toBe(END);
    expect(times[0]).toBeGreaterThan(END - 14 * DAY);
    const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(0);
    expect(gaps.at(-1)).toBeLessThan(gaps[0] ?? 0);
    expect(times.length).toBeGreaterThan(2_000);
  });
});

describe("gapTimes", () => {
  it("closes a short gap with a few blocks and a long one with a bounded number", () => {
    expect(gapTimes(END, END + 10)).toEqual([]);
    expect(gapTimes(END, END - 500)).toEqual([]);
    expect(gapTimes(END, END + 60)).toEqual([END + 20, END + 40, END + 60]);
    const long = gapTimes(END, END + 30 * DAY);
    expect(long).toHaveLength(120);
    expect(long.at(-1)).toBe(END + 30 * DAY);
  });
});
