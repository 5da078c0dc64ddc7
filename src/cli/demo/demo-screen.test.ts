import { afterEach, expect, it, vi } from "vitest";
import { historyView } from "./demo-screen.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

it("prints the progress of the history once a day", () => {
  const printed: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  const show = historyView(null);
  for (const [day, blocks] of [
    [0, 13],
    [0.5, 300],
    [1.01, 700],
    [1.6, 1000],
    [2, 1300],
  ] as const)
    show({ day, days: 2, blocks });
  expect(printed.map((line) => line.match(/market history.*/)?.[0])).toEqual([
    "market history: day 0 of 2, 13 blocks",
    "market history: day 1 of 2, 700 blocks",
    "market history: day 2 of 2, 1300 blocks",
  ]);
});
