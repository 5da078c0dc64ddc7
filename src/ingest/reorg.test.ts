import { describe, expect, it } from "vitest";
import type { Hex } from "../lib/hex.ts";
import { findForkPoint, headKeepsTip, stepFor } from "./reorg.ts";

/** Hashes that read by eye: 0x3a is block 3 of fork a. */
const block = (number: number, fork = "a") => ({ number, hash: `0x${number}${fork}` as Hex });

describe("stepFor", () => {
  it("extends with the child of the tip", () => {
    expect(stepFor(block(3), { number: 4, parentHash: "0x3a" })).toEqual({ kind: "extend" });
  });

  it("extends from nothing with any block", () => {
    expect(stepFor(null, { number: 4, parentHash: "0x3b" })).toEqual({ kind: "extend" });
  });

  it("rolls back for a child of another block, and for a gap", () => {
    expect(stepFor(block(3), { number: 4, parentHash: "0x3b" })).toEqual({ kind: "rollback" });
    expect(stepFor(block(3), { number: 5, parentHash: "0x3a" })).toEqual({ kind: "rollback" });
  });
});

describe("headKeepsTip", () => {
  it("notices another block at the tip's height", () => {
    expect(headKeepsTip(block(3), block(3, "b"))).toBe(false);
  });

  it("takes a head below or above the tip as no news", () => {
    expect(headKeepsTip(block(3), block(2))).toBe(true);
    expect(headKeepsTip(block(3), block(4, "b"))).toBe(true);
    expect(headKeepsTip(null, block(3))).toBe(true);
  });
});

describe("findForkPoint", () => {
  const search = (finalized: number | null) =>
    findForkPoint({
      tip: block(5),
      firstBlock: 1,
      finalized,
      stored: async (number) => block(number),
      canonical: async (number) => (number > 4 ? null : block(number, number > 2 ? "b" : "a")),
    });

  it("is the newest block that both have", async () => {
    expect(await search(null)).toEqual(block(2));
    expect(await search(2)).toEqual(block(2));
  });

  it("is refused below finality, with the reason and what to do", async () => {
    await expect(search(3)).rejects.toThrow(/counts as final.*Nothing was changed.*--data/s);
  });
});
