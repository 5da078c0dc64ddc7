import { beforeAll, describe, expect, it } from "vitest";
import { bundlesArePresent, MAINNET } from "./support/bundles.ts";
import { runQuarry, startReplayNode, temporaryFolder } from "./support/processes.ts";
import { type Checksums, tableChecksums } from "./support/table-checksums.ts";

const FAULTS = "429:0.05,500:0.05,truncate:0.02,null:0.02,drop-log:0.02,dup-log:0.02";
const RANGE = ["--from", "17686110", "--to", "17686121"];

interface Run {
  node: string[];
  args?: string[];
}

async function indexed({ node: options, args = [] }: Run) {
  const folder = temporaryFolder();
  const node = await startReplayNode([MAINNET], options);
  try {
    const { code, stderr } = await runQuarry([
      "index",
      "--rpc",
      node.url,
      ...RANGE,
      "--data",
      folder.path,
      ...args,
    ]);
    expect(code, stderr).toBe(0);
    return { tables: await tableChecksums(folder.path, "eth"), log: stderr };
  } finally {
    await node.stop();
    folder.remove();
  }
}

describe.skipIf(!bundlesArePresent)("a bad endpoint", () => {
  let clean: Checksums;

  beforeAll(async () => {
    clean = (await indexed({ node: [] })).tables;
  });

  it("has rows to lose", () => {
    expect(clean.logs?.rows).toBe(5116);
  });

  it.each([1, 2])("gives the same tables with every kind of fault (seed %i)", async (seed) => {
    const { tables } = await indexed({ node: ["--faults", FAULTS, "--seed", String(seed)] });
    expect(tables).toEqual(clean);
  });

  it("gives the same tables with one lying endpoint among two, and the log names it", async () => {
    const liar = await startReplayNode([MAINNET], ["--faults", "drop-log:0.5", "--seed", "5"]);
    const honest = await startReplayNode([MAINNET]);
    const folder = temporaryFolder();
    try {
      const urls = `${liar.url},${honest.url}`;
      const run = await runQuarry(["index", "--rpc", urls, ...RANGE, "--data", folder.path]);
      expect(run.code, run.stderr).toBe(0);
      expect(await tableChecksums(folder.path, "eth")).toEqual(clean);
      expect(run.stderr).toContain(new URL(liar.url).port);
    } finally {
      await Promise.all([liar.stop(), honest.stop()]);
      folder.remove();
    }
  });

  it("gives the same tables from an endpoint without eth_getBlockReceipts and with short log ranges", async () => {
    const { tables } = await indexed({ node: ["--no-block-receipts", "--max-range", "2"] });
    expect(tables).toEqual(clean);
  });

  it("would have stored the faults, had they not been checked", async () => {
    const { tables } = await indexed({ node: ["--faults", "drop-log:1"], args: ["--no-verify"] });
    expect(tables.logs?.rows).toBeLessThan(5116);
  });
});
