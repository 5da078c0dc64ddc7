import { expect, it } from "vitest";
import { ManualClock } from "../support/manual-clock.ts";
import { RecentUsers } from "./recent-users.ts";

it("halves the share of a user while another one is active, or was within the last second", async () => {
  const clock = new ManualClock();
  const users = new RecentUsers(clock);
  const isShared = (user: string) => users.shareOf(user, 1) === 0.5;
  users.start("a");
  expect([isShared("a"), isShared("b")]).toEqual([false, true]);
  users.start("b");
  users.stop("a");
  await clock.advance(999);
  expect([isShared("a"), isShared("b")]).toEqual([true, true]);
  await clock.advance(1);
  expect([isShared("a"), isShared("b")]).toEqual([true, false]);
  users.stop("b");
  users.start("b");
  await clock.advance(5_000);
  expect([isShared("a"), isShared("b")]).toEqual([true, false]);
});
