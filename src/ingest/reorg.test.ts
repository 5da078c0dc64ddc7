import { describe, expect, it } from "vitest";
import type { Hex } from "../lib/hex.ts";
import { findForkPoint, headKeepsTip, rollbackFloor, stepFor } from "./reorg.ts";

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
  it("notices another block at a stored height, at the tip or below", () => {
    expect(headKeepsTip(block(3), block(3, "b"))).toBe(false);
  });

  it("takes a stored head, and one that is not stored yet, as no news", () => {
    expect(headKeepsTip(block(3), block(3))).toBe(true);
    expect(headKeepsTip(null, block(4, "b"))).toBe(true);
  });
});

describe("rollbackFloor", () => {
  const depth = { finality: { kind: "depth", blocks: 8 }, blockTimeMs: 1_000 } as const;
  const tag = { finality: { kind: "tag" }, blockTimeMs: 100_000 } as const;
  const given = { chain: depth, tip: block(100), firstBlock: 10, finalized: 97, settled: 95 };

  it("is the newest block that was seen stored and final", () => {
    expect(rollbackFloor(given)).toBe(95);
    expect(rollbackFloor({ ...given, finalized: 1_000 })).toBe(95);
  });

  it("is what was final when the tip was stored, where finality came while nobody looked", () => {
    expect(rollbackFloor({ ...given, settled: null, finalized: 1_000 })).toBe(92);
    expect(rollbackFloor({ ...given, settled: null, finalized: 90 })).toBe(90);
    expect(rollbackFloor({ ...given, settled: null, finalized: null })).toBe(92);
    expect(rollbackFloor({ ...given, chain: tag, settled: null, finalized: 1_000 })).toBe(64);
  });

  it("leaves no block where none is final, and never undoes the genesis block", () => {
    expect(rollbackFloor({ ...given, firstBlock: 98, settled: null, finalized: 50 })).toBe(97);
    expect(rollbackFloor({ ...given, firstBlock: 0, tip: block(3), settled: null, finalized: null })).toBe(0);
  });
});

describe("findForkPoint", () => {
  /** The store is fork a; the source has forked off after block 2 and ends at `head`. */
  const search = ({ floor = 0, head = 5, asked = [] as number[], tip = block(5), firstBlock = 1 } = {}) =>
    findForkPoint({
      tip,
      firstBlock,
      floor,
      stored: async (number) => (number < firstBlock ? null : block(number)),
      canonical: async (number) => {
        asked.push(number);
        return number > head ? null : block(number, number > 2 ? "b" : "a");
      },
    });

  it.each([5, 4, 3, 2])("is the newest block that both have, the source's head being %i", async (head) => {
    expect(await search({ head })).toBe(2);
    expect(await search({ head, floor: 2 })).toBe(2);
  });

  it("is none when the tip is there", async () => {
    expect(await search({ tip: block(2) })).toBeNull();
  });

  it("is the block before the first where all may go", async () => {
    expect(await search({ firstBlock: 4, floor: 3 })).toBe(3);
    expect(await search({ firstBlock: 4, floor: 3, tip: block(3) })).toBe(3);
  });

  it("is found in few questions however deep it lies", async () => {
    const asked: number[] = [];
    await search({ tip: block(1_000), head: 1_000, asked });
    expect(asked.length).toBeLessThan(13);
  });

  it("is refused below the floor, with the reason and what to do", async () => {
    await expect(search({ floor: 3 })).rejects.toThrow(/counts as final.*Nothing was changed.*--data/s);
  });
});
