import { expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { Settling } from "./settling.ts";

it("starts over if the copy has not been near the chain for half a minute", async () => {
  const clock = new ManualClock();
  const settling = new Settling(300_000, clock);
  const nearAfter = async (ms: number) => {
    await clock.advance(ms);
    return settling.near();
  };
  expect(await nearAfter(5_000)).toEqual({ isNew: true, isOver: false });
  for (let i = 0; i < 9; i++) expect(await nearAfter(30_000)).toEqual({ isNew: false, isOver: false });
  expect(await nearAfter(30_001)).toEqual({ isNew: true, isOver: false });
  for (let i = 0; i < 9; i++) expect(await nearAfter(30_000)).toEqual({ isNew: false, isOver: false });
  expect(await nearAfter(30_000)).toEqual({ isNew: false, isOver: true });
});

it("is over at once if no time is required", () => {
  expect(new Settling(0, new ManualClock()).near()).toEqual({ isNew: true, isOver: true });
});
