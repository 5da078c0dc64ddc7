import { describe, expect, it } from "vitest";
import type { Checkpoint } from "../../storage/summaries/price-summary.ts";
import { SealInUse } from "./checkpoint-lease.ts";

const NONE: Checkpoint = { complete: null, started: null, generation: null };
const SEALED: Checkpoint = { complete: 50, started: 50, generation: 20 };

/** A question at block 100 that finds these seals, one after the other. */
function question(...seals: Checkpoint[]) {
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
    ["grew", SEALED, { complete: 90, started: 100, generation: 20 }, true],
    ["went beyond the snapshot", SEALED, { complete: 50, started: 101, generation: 20 }, false],
    ["was dropped", SEALED, NONE, false],
    ["was made anew", SEALED, { complete: 60, started: 60, generation: 60 }, false],
    ["was made for the first time", NONE, SEALED, true],
    ["began beyond the snapshot", NONE, { complete: null, started: 101, generation: 101 }, false],
  ])("tells whether the summary can be relied on when it %s", async (_, read, newest, holds) => {
    const { seal } = question(read, newest);
    await seal.read();
    expect(await seal.holds()).toBe(holds);
  });

  it("is none where the summary goes beyond the snapshot already", async () => {
    expect(await question({ complete: 90, started: 101, generation: 20 }).seal.read()).toBeNull();
  });
});
