import { describe, expect, it } from "vitest";
import type { Seal } from "../../storage/summaries/price-summary.ts";
import { SealInUse } from "./checkpoint-lease.ts";

const NONE: Seal = { done: null, begun: null, origin: null };
const SEALED: Seal = { done: 50, begun: 50, origin: 20 };

/** A question at block 100 that finds these seals, one after the other. */
function question(...seals: Seal[]) {
  let reads = 0;
  const seal = new SealInUse(async () => seals[Math.min(reads++, seals.length - 1)] ?? NONE, 100);
  return { seal, reads: () => reads };
}

describe("the seal of a question", () => {
  it("is read when it is needed, once, and once more when the question is answered", async () => {
    const { seal, reads } = question(SEALED);
    expect([await seal.holds(), reads()]).toEqual([true, 0]);
    expect(await Promise.all([seal.read(), seal.read()])).toEqual([SEALED, SEALED]);
    expect([await seal.holds(), reads()]).toEqual([true, 2]);
  });

  it.each([
    ["grew", SEALED, { done: 90, begun: 100, origin: 20 }, true],
    ["went beyond the snapshot", SEALED, { done: 50, begun: 101, origin: 20 }, false],
    ["was dropped", SEALED, NONE, false],
    ["was made anew", SEALED, { done: 60, begun: 60, origin: 60 }, false],
    ["was made for the first time", NONE, SEALED, true],
    ["began beyond the snapshot", NONE, { done: null, begun: 101, origin: 101 }, false],
  ])("tells whether the summary can be relied on when it %s", async (_, read, newest, holds) => {
    const { seal } = question(read, newest);
    await seal.read();
    expect(await seal.holds()).toBe(holds);
  });

  it("is none where the summary goes beyond the snapshot already", async () => {
    expect(await question({ done: 90, begun: 101, origin: 20 }).seal.read()).toBeNull();
  });
});
