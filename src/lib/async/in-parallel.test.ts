import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { inParallel } from "./in-parallel.ts";

it("runs all items, with a limit on how many at the same time", async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await inParallel([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    most = Math.max(most, ++running);
    await nextTurn();
    running--;
    done.push(item);
  });
  expect([done, most]).toEqual([[1, 2, 3, 4, 5, 6, 7], 3]);
});

it("begins no further item after a failure, and throws it when all have ended", async () => {
  const begun: number[] = [];
  let ended = 0;
  const running = inParallel([1, 2, 3, 4, 5, 6], 2, async (item) => {
    begun.push(item);
    await nextTurn();
    ended++;
    if (item === 2) throw new Error("two");
  });
  await expect(running).rejects.toThrow("two");
  expect(begun.length).toBeLessThan(5);
  expect(ended).toBe(begun.length);
});
