import { describe, expect, it } from "vitest";
import { BARE_CHAIN } from "../../../test/support/nodes/bare-chain.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import type { BlockRef } from "../../schema/block.ts";
import { FinalityTracker } from "./finality-tracker.ts";

const block = (number: number, fork = 0): BlockRef => ({ number, hash: `0x${fork}${number}` });

/** Makes a tracker of a chain whose final block the test sets. */
function tracked() {
  const clock = new ManualClock();
  const state = { finalized: block(3), requests: 0 };
  const finalized = async () => {
    state.requests++;
    return state.finalized;
  };
  const chain = { ...BARE_CHAIN, name: "local", blockTimeMs: 2_000 };
  return { clock, state, tracker: new FinalityTracker(chain, { finalized }, clock) };
}

describe("FinalityTracker", () => {
  it("requests the final block once for a head that is polled quickly", async () => {
    const { clock, state, tracker } = tracked();
    for (let i = 0; i < 5; i++) {
      expect(await tracker.update(block(9))).toBe(3);
      await clock.advance(100);
    }
    expect(state.requests).toBe(1);
  });

  it("requests it again for a new head, a head of another fork, and after a block time", async () => {
    const { clock, state, tracker } = tracked();
    await tracker.update(block(9));
    state.finalized = block(4);
    expect(await tracker.update(block(10))).toBe(4);
    state.finalized = block(5);
    expect(await tracker.update(block(10, 1))).toBe(5);
    state.finalized = block(6);
    await clock.advance(1_999);
    expect(await tracker.update(block(10, 1))).toBe(5);
    await clock.advance(1);
    expect(await tracker.update(block(10, 1))).toBe(6);
    expect(state.requests).toBe(4);
  });

  it("requests it again after a failure", async () => {
    const failing = new FinalityTracker({ ...BARE_CHAIN, name: "local" }, failingOnce(), new ManualClock());
    await expect(failing.update(block(9))).rejects.toThrow("no response");
    expect(await failing.update(block(9))).toBe(3);
  });
});

/** Makes a source whose first response is an error. */
function failingOnce() {
  let requests = 0;
  return {
    finalized: async () => {
      if (requests++ === 0) throw new Error("no response");
      return block(3);
    },
  };
}
