import { expect, it } from "vitest";
import { ManualClock } from "../support/manual-clock.ts";
import { sharedAndKept } from "./shared-while-running.ts";

/** Returns shared work that the test ends by hand. */
function heldWork(clock: ManualClock) {
  const ends: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const ask = sharedAndKept(() => new Promise<number>((resolve, reject) => ends.push({ resolve, reject })), {
    keepMs: 1_000,
    clock,
  });
  return { ends, ask };
}

it("works once for all who ask while it lasts, and for a while after", async () => {
  const clock = new ManualClock();
  const { ends, ask } = heldWork(clock);
  const both = [ask(), ask()];
  ends[0]?.resolve(1);
  expect(await Promise.all(both)).toEqual([1, 1]);
  await clock.advance(999);
  expect(await ask()).toBe(1);
  await clock.advance(1);
  const next = ask();
  ends[1]?.resolve(2);
  expect([await next, ends.length]).toEqual([2, 2]);
});

it("tries again after a failure", async () => {
  const { ends, ask } = heldWork(new ManualClock());
  const failed = expect(ask()).rejects.toThrow("no");
  ends[0]?.reject(new RangeError("no"));
  await failed;
  const next = ask();
  ends[1]?.resolve(2);
  expect(await next).toBe(2);
});
