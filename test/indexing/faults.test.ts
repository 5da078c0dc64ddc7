import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Checksums, tableChecksums } from "../support/engine/table-checksums.ts";
import { bundlesArePresent, MAINNET } from "../support/nodes/bundles.ts";
import {
  addFaults,
  FAULT_KINDS,
  type FaultKind,
  type Faults,
  portOf,
  rarest,
  startFaultyNode,
} from "../support/nodes/faulty-node.ts";
import { type IndexRuns, openIndexRuns } from "../support/processes/index-runs.ts";
import { type Node, runQuarry, startReplayNode, temporaryFolder } from "../support/processes/processes.ts";

const RANGE = { from: 17_686_110, to: 17_686_121 };
const BLOCKS = RANGE.to - RANGE.from + 1;
const LOGS = 5_116;

const SHARE = 0.1;
/** Runs of each test at least; a longer run: QUARRY_FAULT_RUNS=50. */
const RUNS = Number(process.env.QUARRY_FAULT_RUNS ?? 1);
/** A run that meets no fault proves nothing: a test goes on until it met so many of its kind, or one of each. */
const LEAST_FAULTS = 2;
const MOST_RUNS = 30 + RUNS;

/** As in production, but for the pace: a block a request, so that each is at risk, and short waits. */
const QUICK = {
  maxBlocksPerRequest: 1,
  requestTimeoutMs: 1_000,
  minRetryDelayMs: 5,
  maxRetryDelayMs: 50,
  maxRetryAfterMs: 50,
  minBackoffMs: 20,
  maxBackoffMs: 100,
  warningIntervalMs: 0,
};

/** Answers that look good and are not: the log tells the block. */
const LIES: readonly FaultKind[] = ["null", "drop-log", "dup-log"];
const LIE_TOLD = /LIAR: block \d+ (failed verification|is not available)/;
const FAILURE_TOLD = /retrying: \S*LIAR/;

describe.skipIf(!bundlesArePresent)("a bad endpoint", { timeout: 60_000 + 60_000 * RUNS }, () => {
  let runs: IndexRuns;
  let honest: Node;
  let clean: Checksums;

  beforeAll(async () => {
    runs = await openIndexRuns();
    honest = await startReplayNode([MAINNET]);
    clean = (await runs.index({ ...RANGE, urls: [honest.url] })).tables;
  });

  afterAll(async () => {
    await honest?.stop();
    await runs?.close();
  });

  interface Company {
    kinds: readonly FaultKind[];
    others?: Node[];
    isFollowing?: boolean;
  }

  /** Indexes until enough faults of each kind were met, each time into the right tables. Returns the log. */
  async function endure({ kinds, others = [], isFollowing = false }: Company): Promise<string> {
    const told: string[] = [];
    const least = kinds.length > 1 ? 1 : LEAST_FAULTS;
    let met: Faults = {};
    for (let run = 1; run <= RUNS || (rarest(met, kinds) < least && run <= MOST_RUNS); run++) {
      const growing = isFollowing ? ["--head", String(RANGE.from + 2), "--advance-ms", "60"] : [];
      const options = ["--seed", String(run), ...growing];
      const liar = await startFaultyNode(MAINNET, { kinds, share: SHARE, options });
      try {
        const urls = [liar, ...others].map(({ url }) => url);
        const { tables, warnings } = await runs.index({ ...RANGE, urls, isFollowing, limits: QUICK });
        expect(tables, `run ${run}`).toEqual(clean);
        told.push(...warnings.map((line) => line.replaceAll(portOf(liar), "LIAR")));
        met = addFaults(met, await liar.faults());
      } finally {
        await liar.stop();
      }
    }
    expect(rarest(met, kinds), JSON.stringify(met)).toBeGreaterThanOrEqual(least);
    return told.join("\n");
  }

  it("has rows to lose", () => {
    expect(clean.logs?.rows).toBe(LOGS);
  });

  it.each(FAULT_KINDS)(
    "that answers %s now and then, one of two: nothing is lost, and it is named",
    async (kind) => {
      const told = await endure({ kinds: [kind], others: [honest] });
      expect(told).toMatch(LIES.includes(kind) ? LIE_TOLD : FAILURE_TOLD);
      expect(told).not.toContain(`${portOf(honest)}: block`);
    },
  );

  it("with every kind of fault, one of two: nothing is lost, and it is named", async () => {
    const told = await endure({ kinds: FAULT_KINDS, others: [honest] });
    expect(told).toMatch(LIE_TOLD);
    expect(told).toMatch(FAILURE_TOLD);
    expect(told).not.toContain(`${portOf(honest)}: block`);
  });

  it("with every kind of fault, alone: nothing is lost", async () => {
    await endure({ kinds: FAULT_KINDS });
  });

  it("with every kind of fault, followed as its chain grows: nothing is lost", async () => {
    await endure({ kinds: FAULT_KINDS, isFollowing: true });
  });

  it.runIf(RUNS > 1).each(FAULT_KINDS)(
    "that answers %s now and then, alone: nothing is lost",
    async (kind) => {
      await endure({ kinds: [kind] });
      await endure({ kinds: [kind], isFollowing: true });
    },
  );

  it("gives the same tables without eth_getBlockReceipts and with short log ranges", async () => {
    const node = await startReplayNode([MAINNET], ["--no-block-receipts", "--max-range", "2"]);
    const { tables } = await runs.index({ ...RANGE, urls: [node.url] });
    await node.stop();
    expect(tables).toEqual(clean);
  });

  /** What becomes of faults in every answer, were they not checked. */
  async function believed(kind: FaultKind, share: number) {
    const liar = await startFaultyNode(MAINNET, { kinds: [kind], share });
    const { tables } = await runs.index({ ...RANGE, urls: [liar.url], verify: false, limits: QUICK });
    const faults = await liar.faults();
    await liar.stop();
    return { tables, faults: faults[kind] };
  }

  it("would have stored dropped and doubled logs, had they not been checked", async () => {
    const dropped = await believed("drop-log", 1);
    expect(dropped.tables.logs?.rows).toBeLessThan(LOGS);
    const doubled = await believed("dup-log", 1);
    expect(doubled.faults).toBe(BLOCKS);
    expect(doubled.tables.logs?.rows).toBe(LOGS + BLOCKS);
  });

  it("cannot make anyone store a block that is not there, checked or not", async () => {
    const { tables, faults } = await believed("null", 0.3);
    expect(faults).toBeGreaterThan(0);
    expect(tables).toEqual(clean);
  });
});

describe.skipIf(!bundlesArePresent)("quarry index, with one bad endpoint of two", () => {
  it("writes the same tables as with a good one, and names the bad one on stderr", async () => {
    const liar = await startFaultyNode(MAINNET, { kinds: FAULT_KINDS, share: 0.3, options: ["--seed", "5"] });
    const honest = await startReplayNode([MAINNET]);
    const folder = temporaryFolder();
    try {
      const index = (data: string, urls: string[]) =>
        runQuarry([
          ...["index", "--rpc", urls.join(","), "--data", `${folder.path}/${data}`],
          ...["--from", String(RANGE.from), "--to", String(RANGE.to), "--rpc-timeout", "2"],
        ]);
      const run = await index("bad", [liar.url, honest.url]);
      expect(run.code, run.stderr).toBe(0);
      expect(Object.keys(await liar.faults())).not.toEqual([]);
      expect(run.stderr).toContain(portOf(liar));
      const good = await index("good", [honest.url]);
      expect(good.code, good.stderr).toBe(0);
      const tables = await tableChecksums(`${folder.path}/bad`, "eth");
      expect(tables).toEqual(await tableChecksums(`${folder.path}/good`, "eth"));
      expect(tables.logs?.rows).toBe(LOGS);
    } finally {
      await Promise.all([liar.stop(), honest.stop()]);
      folder.remove();
    }
  });
});
