import { describe, expect, it } from "vitest";
import type { Checkpoint } from "../../storage/summaries/price-summary.ts";
import { CheckpointLease } from "./checkpoint-lease.ts";

const NONE: Checkpoint = { complete: null, started: null, generation: null };
const AT_50: Checkpoint = { complete: 50, started: 50, generation: 20 };

/**
 * Returns the lease of a query at block 100 that reads these checkpoints in turn, and the number of its
 * reads.
 */
function leaseOf(...checkpoints: Checkpoint[]) {
  let reads = 0;
  const next = async () => checkpoints[Math.min(reads++, checkpoints.length - 1)] ?? NONE;
  return { lease: new CheckpointLease(next, 100), reads: () => reads };
}

describe("CheckpointLease", () => {
  it("reads the checkpoint once when it is needed, and once more when the query is done", async () => {
    const { lease, reads } = leaseOf(AT_50);
    expect([await lease.isValid(), reads()]).toEqual([true, 0]);
    expect(await Promise.all([lease.read(), lease.read()])).toEqual([AT_50, AT_50]);
    expect([await lease.isValid(), reads()]).toEqual([true, 2]);
  });

  it.each([
    ["grew", AT_50, { complete: 90, started: 100, generation: 20 }, true],
    ["grew beyond the snapshot", AT_50, { complete: 50, started: 101, generation: 20 }, false],
    ["was dropped", AT_50, NONE, false],
    ["was rebuilt", AT_50, { complete: 60, started: 60, generation: 60 }, false],
    ["was built for the first time", NONE, AT_50, true],
    ["started beyond the snapshot", NONE, { complete: null, started: 101, generation: 101 }, false],
  ])("reports whether the summary is valid when it %s", async (_, leased, newest, isValid) => {
    const { lease } = leaseOf(leased, newest);
    await lease.read();
    expect(await lease.isValid()).toBe(isValid);
  });

  it("has no checkpoint when the summary is already beyond the snapshot", async () => {
    expect(await leaseOf({ complete: 90, started: 101, generation: 20 }).lease.read()).toBeNull();
  });
});
