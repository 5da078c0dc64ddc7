import { expect, it } from "vitest";
import { PacedWork } from "./paced-work.ts";

/** A clock that only steps and pauses move. */
function setUp() {
  let nowMs = 0;
  let resume = () => {};
  const done: string[] = [];
  const work = new PacedWork(
    () => nowMs,
    () =>
      new Promise<void>((resolve) => {
        resume = resolve;
      }),
  );
  return {
    done,
    add: (name: string, count: number, stepMs: number) =>
      work.add(
        Array.from({ length: count }, (_, i) => i),
        (i) => {
          nowMs += stepMs;
          done.push(`${name}${i}`);
        },
      ),
    async pause(otherWorkMs: number) {
      nowMs += otherWorkMs;
      resume();
      await new Promise(setImmediate);
    },
  };
}

it("completes short work at once, in order", () => {
  const { add, done } = setUp();
  add("a", 2, 1);
  add("b", 2, 1);
  expect(done).toEqual(["a0", "a1", "b0", "b1"]);
});

it("pauses long work, and continues it before later work", async () => {
  const { add, done, pause } = setUp();
  add("a", 8, 1);
  add("b", 1, 1);
  expect(done).toHaveLength(5);
  await pause(0);
  expect(done.slice(5)).toEqual(["a5", "a6", "a7", "b0"]);
});

it("runs for as long as other work did in the pause, up to a limit", async () => {
  const { add, done, pause } = setUp();
  add("a", 1_000, 1);
  await pause(20);
  expect(done).toHaveLength(5 + 20);
  await pause(400);
  expect(done).toHaveLength(5 + 20 + 50);
});

it("completes the oldest work at once when too much waits", () => {
  const { add, done } = setUp();
  for (let i = 0; i <= 101; i++) add(`${i}-`, 10, 1);
  expect(done.at(-1)).toBe("1-9");
});
