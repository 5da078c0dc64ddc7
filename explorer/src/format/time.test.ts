import { expect, it } from "vitest";
import { formatAge, formatAges, formatDuration, formatTime, parseTime } from "./time.ts";

it.each([
  [0, "0 s"],
  [59, "59 s"],
  [60, "1 min"],
  [3_599, "59 min"],
  [3_600, "1 h"],
  [86_400 * 3, "3 d"],
  [-5, "0 s"],
])("%s seconds ago is %s", (seconds, shown) => expect(formatAge(1_000_000 - seconds, 1_000_000)).toBe(shown));

it("writes times in UTC and parses SQL's times", () => {
  expect(formatTime(parseTime("2026-11-22T14:05:09.000Z"))).toBe("2026-11-22 14:05:09");
});

it.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [999.6, "1.00 s"],
  [4_210, "4.21 s"],
  [31_480, "31.5 s"],
  [59_960, "1 min 0 s"],
  [125_300, "2 min 5 s"],
  [3_600_000, "1 h 0 min"],
  [12_059_000, "3 h 20 min"],
  [706_439_000, "8 d 4 h"],
  [undefined, "–"],
])("formats %s ms as %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it.each([
  [{ p50: 0.31, p95: 0.94 }, "0.3 / 0.9 s"],
  [{ p50: 8.2, p95: 125 }, "8 s / 2 min"],
  [{ p50: 694_924.9, p95: 778_401.8 }, "8 d / 9 d"],
  [null, "–"],
])("formats the ages %o as %s", (ages, text) => {
  expect(formatAges(ages)).toBe(text);
});
