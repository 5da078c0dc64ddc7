import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tableChecksumsApart } from "../support/engine/table-checksums.ts";
import { bundleCounts, MAINNET } from "../support/nodes/bundles.ts";
import { portOf, startFaultyNode } from "../support/nodes/faulty-node.ts";
import { FAULT_KINDS, type FaultKind } from "../support/nodes/replay/faults.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { FAULT_RANGE, FAULT_RUNS, FaultRuns } from "../support/processes/fault-runs.ts";
import { runQuarry, temporaryFolder } from "../support/processes/processes.ts";

const { blocks, logs } = bundleCounts(MAINNET);

/** Faults whose responses look right but are wrong. For these, the warning names the block. */
const WRONG_RESPONSES: readonly FaultKind[] = ["null", "drop-log", "dup-log"];
const WRONG_BLOCK = /FAULTY: block \d+ (failed verification|is not available)/;
const REPEATED = /retrying: \S*FAULTY/;

describe("a bad endpoint", { timeout: 60_000 + 60_000 * FAULT_RUNS }, () => {
  let runs: FaultRuns;

  beforeAll(async () => {
    runs = await FaultRuns.open();
  });

  afterAll(() => runs?.close());

  it("has rows to lose", () => {
    expect(runs.clean.logs?.rows).toBe(logs);
  });

  it.each(FAULT_KINDS)(
    "that sometimes has fault %s, one of two: nothing is lost, and it is named",
    async (kind) => {
      const warnings = await runs.endure({ kinds: [kind], others: [runs.honest] });
      expect(warnings).toMatch(WRONG_RESPONSES.includes(kind) ? WRONG_BLOCK : REPEATED);
      expect(warnings).not.toContain(`${portOf(runs.honest)}: block`);
    },
  );

  it("with every kind of fault, one of two: nothing is lost, and it is named", async () => {
    const warnings = await runs.endure({ kinds: FAULT_KINDS, others: [runs.honest] });
    expect(warnings).toMatch(WRONG_BLOCK);
    expect(warnings).toMatch(REPEATED);
    expect(warnings).not.toContain(`${portOf(runs.honest)}: block`);
  });

  it("with every kind of fault, alone: nothing is lost", async () => {
    await runs.endure({ kinds: FAULT_KINDS });
  });

  it("with every kind of fault, followed as its chain grows: nothing is lost", async () => {
    await runs.endure({ kinds: FAULT_KINDS, isFollowing: true });
  });

  it("gives the same tables without eth_getBlockReceipts and with short log ranges", async () => {
    expect(await runs.index({ hasBlockReceipts: false, maxRange: 2 })).toEqual(runs.clean);
  });

  it("would have stored dropped and doubled logs, had they not been checked", async () => {
    const dropped = await runs.unverified("drop-log", 1);
    expect(dropped.tables.logs?.rows).toBeLessThan(logs);
    const doubled = await runs.unverified("dup-log", 1);
    // On a busy machine, requests may time out and be repeated.
    expect(doubled.faults).toBeGreaterThanOrEqual(blocks);
    expect(doubled.tables.logs?.rows).toBe(logs + blocks);
  });

  it("cannot make the indexer store a block that does not exist, checked or not", async () => {
    const { tables, faults } = await runs.unverified("null", 0.3);
    expect(faults).toBeGreaterThan(0);
    const { tables: expected } = await runs.unverified("null", 0);
    expect(tables).toEqual(expected);
    // Unchecked blocks differ from checked ones only in the column `proof`.
    const { blocks: _unproven, ...others } = tables;
    expect(runs.clean).toMatchObject(others);
  });
});

describe("quarry index, with one bad endpoint of two", () => {
  it("writes the same tables as with a good one, and names the bad one on stderr", async () => {
    const faulty = await startFaultyNode(MAINNET, { kinds: FAULT_KINDS, share: 0.3, options: { seed: 5 } });
    const honest = await startReplayNode([MAINNET]);
    const folder = temporaryFolder();
    try {
      const index = (data: string, urls: string[]) =>
        runQuarry([
          ...["index", "--rpc", urls.join(","), "--data", `${folder.path}/${data}`],
          ...["--from", String(FAULT_RANGE.from), "--to", String(FAULT_RANGE.to), "--rpc-timeout", "2"],
        ]);
      const run = await index("bad", [faulty.url, honest.url]);
      expect(run.code, run.stderr).toBe(0);
      expect(Object.keys(faulty.stats().faults)).not.toEqual([]);
      expect(run.stderr).toContain(portOf(faulty));
      const good = await index("good", [honest.url]);
      expect(good.code, good.stderr).toBe(0);
      const tables = await tableChecksumsApart(`${folder.path}/bad`, "eth");
      expect(tables).toEqual(await tableChecksumsApart(`${folder.path}/good`, "eth"));
      expect(tables.logs?.rows).toBe(logs);
    } finally {
      await Promise.all([faulty.stop(), honest.stop()]);
      folder.remove();
    }
  });
});
