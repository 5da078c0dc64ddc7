import { expect, it } from "vitest";
import { ManualClock } from "../support/manual-clock.ts";
import { RecentUsers } from "./recent-users.ts";

it("knows whether another user is active, or was within the last second", async () => {
  const clock = new ManualClock();
  const users = new RecentUsers(clock);
  users.start("a");
  expect([users.hasOther("a"), users.hasOther("b")]).toEqual([false, true]);
  users.start("b");
  users.stop("a");
  await clock.advance(999);
  expect([users.hasOther("a"), users.hasOther("b")]).toEqual([true, true]);
  await clock.advance(1);
  expect([users.hasOther("a"), users.hasOther("b")]).toEqual([true, false]);
  users.stop("b");
  users.start("b");
  await clock.advance(5_000);
  expect([users.hasOther("a"), users.hasOther("b")]).toEqual([true, false]);
});
