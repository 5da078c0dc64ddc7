import { afterAll, beforeAll, describe, it } from "vitest";
import { FAULT_KINDS } from "../support/nodes/replay/faults.ts";
import { FAULT_RUNS, FaultRuns } from "../support/processes/fault-runs.ts";

describe("a bad endpoint, alone", { timeout: 60_000 + 60_000 * FAULT_RUNS }, () => {
  let runs: FaultRuns;

  beforeAll(async () => {
    runs = await FaultRuns.open();
  });

  afterAll(() => runs?.close());

  it.each(FAULT_KINDS)("that sometimes has fault %s: nothing is lost", async (kind) => {
    await runs.endure({ kinds: [kind] });
    await runs.endure({ kinds: [kind], isFollowing: true });
  });
});
