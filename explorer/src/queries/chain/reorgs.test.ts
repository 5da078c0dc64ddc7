import { expect, it } from "vitest";
import { Reorgs } from "./reorgs.ts";

function countAfter(...events: string[]): number {
  const reorgs = new Reorgs();
  for (const event of events) reorgs.note("eth", event);
  reorgs.note("base", "rollback");
  return reorgs.count("eth");
}

it("counts frames after which past values may be different", () => {
  expect(countAfter()).toBe(0);
  expect(countAfter("snapshot", "block", "final", "state", "lagged", "shutdown")).toBe(0);
  expect(countAfter("snapshot", "rollback", "block", "rollback")).toBe(2);
});

it("counts a stream that begins again, because a reorg may have happened in between", () => {
  expect(countAfter("snapshot", "block", "snapshot")).toBe(1);
  expect(countAfter("snapshot", "reset", "snapshot", "block")).toBe(1);
});

it("calls listeners on each change, until they leave", () => {
  const reorgs = new Reorgs();
  let calls = 0;
  const leave = reorgs.subscribe(() => calls++);
  for (const event of ["snapshot", "rollback", "block"]) reorgs.note("eth", event);
  leave();
  reorgs.note("eth", "rollback");
  expect(calls).toBe(1);
});
