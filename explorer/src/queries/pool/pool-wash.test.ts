import { expect, it, vi } from "vitest";
import { parseTime } from "../../format/time.ts";
import { WASH_DAYS, washStart } from "./pool-wash.ts";

// The client reads settings from the browser.
vi.mock("../service/client.ts", () => ({ quarry: {} }));

it("begins with the first of seven days, whatever the time of the newest block", () => {
  expect(WASH_DAYS).toBe(7);
  for (const newest of ["2026-11-28T00:00:00Z", "2026-11-28T14:05:09Z", "2026-11-28T23:59:59Z"])
    expect(washStart(parseTime(newest))).toBe(parseTime("2026-11-22T00:00:00Z"));
});
