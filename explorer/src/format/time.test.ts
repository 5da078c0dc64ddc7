import { expect, it } from "vitest";
import { formatAge, formatDuration, formatTime, parseTime } from "./time.ts";

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
  [undefined, "–"],
])("formats %s ms as %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
