import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { findForkPoint } from "./fork-point.ts";

/** Hashes that read by eye: 0x3a is block 3 of fork a. */
const block = (number: number, fork = "a") => ({ number, hash: `0x${number}${fork}` as Hex });

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

  it("is refused below the floor, with the reason and the command that takes back", async () => {
    await expect(search({ floor: 3 })).rejects.toThrow(
      /at block 3, which counts as final.*Nothing was changed.*--rpc.*block 2 is the newest.*quarry rewind 2/s,
    );
    await expect(search({ floor: 5, firstBlock: 4, tip: block(6) })).rejects.toThrow(
      /no block is left that both have: index it anew with another --data directory/,
    );
  });
});
