import { expect, it } from "vitest";
import { chartColumnsOf, linesOf, MAX_LINES } from "./chart-series.ts";
import { columnsOf } from "./result-columns.ts";

const AT = ["1970-01-01T00:00:10.000Z", "1970-01-01T00:00:20.000Z"];

it("finds the columns for a chart, and whether times repeat", () => {
  const rows = [
    { t: AT[0] ?? "", side: "buy", v: 1 },
    { t: AT[0] ?? "", side: "sell", v: 2 },
    { t: AT[1] ?? "", side: "buy", v: 3 },
  ];
  const columns = chartColumnsOf(rows, columnsOf(rows, undefined));
  expect(columns).toMatchObject({
    time: { name: "t" },
    values: [{ name: "v" }],
    groups: [{ name: "side" }],
  });
  expect(columns?.repeats).toBe(true);
  expect(chartColumnsOf(rows.slice(0, 2), columnsOf(rows, undefined))).toBeNull();
  expect(chartColumnsOf([{ v: 1 }], columnsOf([{ v: 1 }], undefined))).toBeNull();
});

it("creates a line per group, sorted by time, and counts what it omits", () => {
  const rows = [
    { t: AT[1] ?? "", side: "buy", v: 3 },
    { t: AT[0] ?? "", side: "buy", v: 1 },
    { t: AT[0] ?? "", side: "sell", v: null },
    { t: AT[0] ?? "", side: "buy", v: 9 },
  ];
  expect(linesOf(rows, { time: "t", values: ["v"], group: "side" })).toEqual({
    lines: [
      {
        name: "buy",
        points: [
          { time: 10, value: 1 },
          { time: 20, value: 3 },
        ],
      },
    ],
    hiddenPoints: 1,
    hiddenLines: 0,
  });
  const many = Array.from({ length: MAX_LINES + 2 }, (_, i) => ({ t: AT[0] ?? "", side: `${i}`, v: i }));
  expect(linesOf(many, { time: "t", values: ["v"], group: "side" }).hiddenLines).toBe(2);
});
