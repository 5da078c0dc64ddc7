import { expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { CopyRate } from "./progress-view.ts";

it("measures the rows that this run copied, and says how long the rest takes", async () => {
  const clock = new ManualClock();
  const rate = new CopyRate(clock);
  expect(rate.text({ doneRows: 5_000, totalRows: 20_000 })).toBe("");
  await clock.advance(10_000);
  expect(rate.text({ doneRows: 5_000, totalRows: 20_000 })).toBe("");
  expect(rate.text({ doneRows: 7_500, totalRows: 20_000 })).toBe(" | 250 rows/s | 50s left");
  await clock.advance(10_000);
  expect(rate.text({ doneRows: 20_000, totalRows: 20_000 })).toBe(" | 750 rows/s | 0s left");
});
