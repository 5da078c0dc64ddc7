import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { isChildOf, nextStep, rollbackFloor } from "./reorg.ts";

/** Hashes readable at a glance: 0x3a is block 3 of fork a. */
const block = (number: number, fork = "a") => ({ number, hash: `0x${number}${fork}` as Hex });

describe("nextStep", () => {
  /** Blocks 1 to 5 of fork a are stored, 2 is final. */
  const stored = { firstBlock: 1, tip: block(5), finalized: 2 };
  const step = (
    head: { number: number; hash: Hex },
    finalized: number | null = 2,
    last: number | null = null,
  ) => {
    const storedAtHead = head.number <= 5 ? block(head.number) : null;
    return nextStep(stored, { head, finalized }, storedAtHead, last);
  };

  it("extends from the block after the tip to the head, or to the last block requested", () => {
    expect(step(block(9))).toEqual({ kind: "extend", from: 6, to: 9 });
    expect(step(block(9), 2, 7)).toEqual({ kind: "extend", from: 6, to: 7 });
    expect(step(block(9, "b"))).toEqual({ kind: "extend", from: 6, to: 9 });
  });

  it("begins with the first block while none is stored", () => {
    const nothing = { firstBlock: 3, tip: null, finalized: null };
    const source = { head: block(9), finalized: 7 };
    expect(nextStep(nothing, source, null, null)).toEqual({
      kind: "extend",
      from: 3,
      to: 9,
    });
    const early = { head: block(2), finalized: 2 };
    expect(nextStep(nothing, early, null, null)).toEqual({ kind: "wait" });
  });

  it("rolls back for another block at a stored height, at the tip or below, even at the last block", () => {
    expect(step(block(5, "b"))).toEqual({ kind: "rollback" });
    expect(step(block(3, "b"))).toEqual({ kind: "rollback" });
    expect(step(block(5, "b"), 2, 5)).toEqual({ kind: "rollback" });
  });

  it("waits at the tip, and while the head is below it", () => {
    expect(step(block(5))).toEqual({ kind: "wait" });
    expect(step(block(3))).toEqual({ kind: "wait" });
    expect(step(block(5), null)).toEqual({ kind: "wait" });
  });

  it("finalizes blocks once the head proves that they are on the source's chain, and none above it", () => {
    expect(step(block(5), 4)).toEqual({ kind: "finalize", block: 4 });
    expect(step(block(3), 4)).toEqual({ kind: "finalize", block: 3 });
    expect(step(block(6), 4)).toEqual({ kind: "extend", from: 6, to: 6 });
    expect(step(block(5, "b"), 4)).toEqual({ kind: "rollback" });
  });
});

describe("isChildOf", () => {
  it("is true for the child of the tip, and for any block while none is stored", () => {
    expect(isChildOf(block(3), { number: 4, parentHash: "0x3a" })).toBe(true);
    expect(isChildOf(null, { number: 4, parentHash: "0x3b" })).toBe(true);
  });

  it("is false for a child of another block, and for a gap", () => {
    expect(isChildOf(block(3), { number: 4, parentHash: "0x3b" })).toBe(false);
    expect(isChildOf(block(3), { number: 5, parentHash: "0x3a" })).toBe(false);
  });
});

describe("rollbackFloor", () => {
  const depth = { finality: { kind: "depth", blocks: 8 }, blockTimeMs: 1_000 } as const;
  const tag = { finality: { kind: "tag" }, blockTimeMs: 100_000 } as const;
  const stored = { tip: block(100), firstBlock: 10, finalized: 95 };

  it("is the newest block known to be stored and final", () => {
    expect(rollbackFloor(depth, stored)).toBe(95);
    expect(rollbackFloor(tag, stored)).toBe(95);
  });

  it("is as far below the tip as the chain's finality if no block is known to be final", () => {
    expect(rollbackFloor(depth, { ...stored, finalized: null })).toBe(92);
    expect(rollbackFloor(tag, { ...stored, finalized: null })).toBe(64);
  });

  it("lets all blocks go if none is final, but never the genesis block", () => {
    expect(rollbackFloor(depth, { ...stored, firstBlock: 98, finalized: null })).toBe(97);
    expect(rollbackFloor(depth, { firstBlock: 0, tip: block(3), finalized: null })).toBe(0);
  });
});
