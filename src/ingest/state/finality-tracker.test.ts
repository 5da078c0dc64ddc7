import { describe, expect, it } from "vitest";
import { BARE_CHAIN } from "../../../test/support/nodes/bare-chain.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import type { BlockRef } from "../../schema/block.ts";
import { FinalityTracker } from "./finality-tracker.ts";

const block = (number: number, fork = 0): BlockRef => ({ number, hash: `0x${fork}${number}` });

/** Makes a tracker of a chain whose final block the test sets. */
function tracked() {
  const clock = new ManualClock();
  const state = { finalized: block(3), requests: 0, checked: [] as string[], isDisputed: false };
  const finalized = async () => {
    state.requests++;
    return state.finalized;
  };
  const chain = { ...BARE_CHAIN, name: "local", blockTimeMs: 2_000 };
  const requireUndisputed = async ({ hash }: BlockRef) => {
    state.checked.push(hash);
    if (state.isDisputed) throw new Error("disputed");
  };
  return { clock, state, tracker: new FinalityTracker(chain, { finalized, requireUndisputed }, clock) };
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

  it("is the tip while that is below the final block, but only if no endpoint disputes it", async () => {
    const { state, tracker } = tracked();
    const blockAt = async (number: number) => block(number);
    state.finalized = block(8);
    await tracker.update(block(9));
    expect(await tracker.newlyFinal(5, null, blockAt)).toBe(5);
    expect(state.checked).toEqual([block(5).hash]);
    state.isDisputed = true;
    await expect(tracker.newlyFinal(6, 5, blockAt)).rejects.toThrow("disputed");
    expect(await tracker.newlyFinal(9, 5, blockAt)).toBe(8);
    expect(state.checked).toHaveLength(2);
  });

  it("is never a block of another chain than the final block's", async () => {
    const { state, tracker } = tracked();
    state.finalized = block(8);
    await tracker.update(block(9));
    const other = tracker.newlyFinal(9, 5, async (number) => block(number, 1));
    await expect(other).rejects.toMatchObject({ code: "endpoint", retryable: true });
    await expect(other).rejects.toThrow(`Block 8 was received with hash ${block(8, 1).hash}, but`);
    expect(await tracker.newlyFinal(9, 5, async () => null)).toBeNull();
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
    requireUndisputed: async () => undefined,
  };
}
