import { expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { RecentLoad } from "./recent-load.ts";

it("describes the last seconds only, and is unknown to the first reader after a while", async () => {
  const clock = new ManualClock();
  const load = new RecentLoad(clock);
  await clock.advance(60_000);
  expect(load.current()).toBeNull();
  await clock.advance(1_000);
  expect(load.current()).toBeNull();
  await clock.advance(2_000);
  const known = load.current();
  expect(known).toEqual({ eventLoop: expect.any(Number), cpu: expect.any(Number) });
  await clock.advance(1_000);
  expect(load.current()).toBe(known);
  await clock.advance(11_000);
  expect(load.current()).toBeNull();
});
