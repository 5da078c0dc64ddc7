import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Checksums, tableChecksums } from "../support/engine/table-checksums.ts";
import { bundleCounts, MAINNET, USDC_WETH } from "../support/nodes/bundles.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { type Node, runQuarry, startQuarry, temporaryFolder } from "../support/processes/processes.ts";
import { runHere } from "../support/processes/run-here.ts";

const { first: FIRST, last: LAST, blocks: BLOCKS, events } = bundleCounts(USDC_WETH);
/** Two adjacent blocks. Indexing stops after each of them, and then continues with the next block. */
const CUT = FIRST + Math.round(BLOCKS * 0.4);
const CUTS = [CUT, CUT + 1];
/**
 * Number of kills. For a longer run: QUARRY_KILLS=200. test/indexing/kill.test.ts kills during following and
 * rollbacks.
 */
const KILLS = Number(process.env.QUARRY_KILLS ?? 3);
/** Approximate duration of a run once indexing has begun. */
const INDEXING_MS = 2_500;
/** Every n-th kill may come while the process still starts, recovers or opens its endpoints. */
const EARLY_KILLS = 3;

describe("an indexer that is stopped", () => {
  let node: Node;
  /** Tables of the whole range, indexed without a stop and in the largest batches. */
  let expected: Checksums;

  beforeAll(async () => {
    node = await startReplayNode([USDC_WETH]);
    expected = await undisturbed(1_000);
  });

  afterAll(async () => {
    await node?.stop();
  });

  const indexArgs = (data: string, to = LAST, batchBlocks = 100) => [
    "index",
    ...["--rpc", node.url, "--from", String(FIRST), "--to", String(to), "--data", data],
    ...["--no-verify", "--batch-blocks", String(batchBlocks)],
  ];

  async function undisturbed(batchBlocks: number, cuts: number[] = []) {
    const folder = temporaryFolder();
    try {
      for (const to of [...cuts, LAST]) {
        const { code, stderr } = await runHere(indexArgs(folder.path, to, batchBlocks));
        expect(code, stderr).toBe(0);
      }
      return await tableChecksums(folder.path, "eth");
    } finally {
      folder.remove();
    }
  }

  it("leaves the same tables after kill -9 at any moment, again and again", {
    timeout: 60_000 + KILLS * 20_000,
  }, async () => {
    expect(expected.dex_trades?.rows).toBeGreaterThan(events["v3 Swap"]!);
    const folder = temporaryFolder();
    let folders = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const running = startQuarry(indexArgs(`${folder.path}/${folders}`));
      if (kill % EARLY_KILLS !== 0) await running.printed(/endpoints are ready/);
      await Promise.race([sleep(Math.random() * INDEXING_MS), running.finished]);
      const { code } = await running.stop("SIGKILL");
      if (code !== 0) continue;
      // This process finished before the kill. Checks its tables, and starts again in an empty directory.
      expect(await tableChecksums(`${folder.path}/${folders++}`, "eth")).toEqual(expected);
    }
    const { code, stderr } = await runQuarry(indexArgs(`${folder.path}/${folders}`));
    expect(code, stderr).toBe(0);
    expect(await tableChecksums(`${folder.path}/${folders}`, "eth")).toEqual(expected);
    folder.remove();
  });

  it("leaves the same tables for any cut of the range and any size of batch", {
    timeout: 120_000,
  }, async () => {
    expect(await undisturbed(89, CUTS)).toEqual(expected);
  });
});

describe("a range indexed in pieces", () => {
  it("gives the same tables on full mainnet blocks", { timeout: 120_000 }, async () => {
    const node = await startReplayNode([MAINNET]);
    const tables = async (ends: number[], batchBlocks: number) => {
      const folder = temporaryFolder();
      for (const to of ends) {
        const args = [
          "--from",
          String(bundleCounts(MAINNET).first),
          "--to",
          String(to),
          "--batch-blocks",
          String(batchBlocks),
        ];
        const { code, stderr } = await runHere(["index", "--rpc", node.url, ...args, "--data", folder.path]);
        expect(code, stderr).toBe(0);
      }
      const checksums = await tableChecksums(folder.path, "eth");
      folder.remove();
      return checksums;
    };
    const { first, last, blocks } = bundleCounts(MAINNET);
    const expected = await tables([last], blocks);
    expect(await tables([first + 1, first + 2, last], 1)).toEqual(expected);
    await node.stop();
  });
});
