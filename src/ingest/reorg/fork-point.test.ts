import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { findForkPoint } from "./fork-point.ts";

/** Hashes readable at a glance: 0x3a is block 3 of fork a. */
const block = (number: number, fork = "a") => ({ number, hash: `0x${number}${fork}` as Hex });

describe("findForkPoint", () => {
  /** The store has fork a; the source's chain forked after block 2 and ends at `head`. */
  const search = ({ floor = 0, head = 5, requested = [] as number[], tip = block(5), firstBlock = 1 } = {}) =>
    findForkPoint({
      tip,
      firstBlock,
      floor,
      stored: async (number) => (number < firstBlock ? null : block(number)),
      canonical: async (number) => {
        requested.push(number);
        return number > head ? null : block(number, number > 2 ? "b" : "a");
      },
      isConfirmed: async () => false,
    });

  it.each([5, 4, 3, 2])("is the newest block that both have, with the source's head at %i", async (head) => {
    expect(await search({ head })).toBe(2);
    expect(await search({ head, floor: 2 })).toBe(2);
  });

  it("is null when the source has the tip", async () => {
    expect(await search({ tip: block(2) })).toBeNull();
  });

  it("is the block before the first if all blocks may be rolled back", async () => {
    expect(await search({ firstBlock: 4, floor: 3 })).toBe(3);
    expect(await search({ firstBlock: 4, floor: 3, tip: block(3) })).toBe(3);
  });

  it("is found in few requests however deep it is", async () => {
    const requested: number[] = [];
    await search({ tip: block(1_000), head: 1_000, requested });
    expect(requested.length).toBeLessThan(13);
  });

  it("is an error below the floor, with the reason and the command that rolls back", async () => {
    await expect(search({ floor: 3 })).rejects.toThrow(
      /at block 3, which counts as final.*Nothing was changed.*--rpc.*blocks above 2, the newest.*quarry rewind 2/s,
    );
    await expect(search({ floor: 5, firstBlock: 4, tip: block(6) })).rejects.toThrow(
      /index the new chain in another --data directory, because the two chains share no indexed block/,
    );
  });

  it("is an error below the floor also when the source's other chain ends there", async () => {
    await expect(search({ tip: block(9), floor: 8, head: 4 })).rejects.toMatchObject({
      code: "reorg-too-deep",
      message: expect.stringContaining("quarry rewind 2"),
    });
  });

  it("is not known while the source has no block at the floor but shares all below", async () => {
    await expect(search({ tip: block(9), floor: 8, head: 2 })).rejects.toMatchObject({
      code: "endpoint",
      retryable: true,
      message: expect.stringMatching(/has no block 3, .*newest indexed block: 9/),
    });
  });

  /**
   * The first endpoint is on fork b from block 3 on, until it is avoided; the second has the stored blocks.
   */
  const searchTwo = (shared: number) => {
    let isAvoided = false;
    const forkOf = (number: number) => (isAvoided ? number > shared : number > 2);
    return findForkPoint({
      tip: block(9),
      firstBlock: 1,
      floor: 5,
      stored: async (number) => block(number),
      canonical: async (number) => block(number, forkOf(number) ? "b" : "a"),
      isConfirmed: async ({ hash }) => {
        isAvoided = hash === "0x5a";
        return isAvoided;
      },
    });
  };

  it("is found above the floor if another endpoint has the final block", async () => {
    expect(await searchTwo(7)).toBe(7);
  });

  it("is null if the endpoint that denied the final block also denied the tip", async () => {
    expect(await searchTwo(9)).toBeNull();
  });
});
