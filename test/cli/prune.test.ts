import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Checksums, tableChecksums } from "../support/engine/table-checksums.ts";
import { bundleCounts, MAINNET } from "../support/nodes/bundles.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { type Node, startQuarry, temporaryFolder } from "../support/processes/processes.ts";
import { runHere } from "../support/processes/run-here.ts";

const { first: FIRST, last: LAST } = bundleCounts(MAINNET);
const BEFORE = FIRST + 5;

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
let node: Node;

const quarry = (command: string, data: string, ...more: string[]) =>
  runHere([command, ...more, "--config", at("quarry.json"), "--data", at(data)]);

async function succeeds(running: ReturnType<typeof runHere>) {
  const finished = await running;
  expect(finished.code, finished.stderr).toBe(0);
  return finished.stdout;
}

async function fails(running: ReturnType<typeof runHere>, reason: string) {
  const { code, stderr } = await running;
  expect(code).not.toBe(0);
  expect(stderr).toContain(reason);
}

const index = (data: string, ...more: string[]) =>
  quarry("index", data, "--rpc", node.url, "--from", String(FIRST), "--to", String(LAST), ...more);

beforeAll(async () => {
  node = await startReplayNode([MAINNET]);
  // The last two blocks are not final.
  const finality = { kind: "depth", blocks: 2 };
  writeFileSync(at("quarry.json"), JSON.stringify({ chains: { eth: { finality } } }));
});
afterAll(async () => {
  await node?.stop();
  folder.remove();
});

describe("quarry index --keep", { timeout: 240_000 }, () => {
  it("stores less, refuses another level, and can be moved to another machine", async () => {
    await succeeds(index("trades", "--keep", "trades"));
    await fails(index("trades", "--keep", "all"), "is indexed here with --keep trades");
    await fails(index("trades", "--keep", "little"), "--keep");
    await succeeds(index("trades"));
    const openings = ["--opening-balances", "pools"];
    await fails(index("trades", ...openings), "--keep trades does not store them");
    await fails(index("none", "--keep", "no-logs", ...openings), "--keep no-logs does not store them");
    expect(existsSync(at("none"))).toBe(false);
    await fails(
      quarry("export", "trades", "logs", "--include-unfinal", "--out", at("files")),
      "eth_logs is not stored: this chain is indexed with --keep trades",
    );
    await fails(quarry("prune", "trades", "--before", String(BEFORE)), "Nothing to prune: --keep trades");
    await succeeds(quarry("export", "trades", "all", "--include-unfinal", "--out", at("files")));
    await succeeds(quarry("import", "copy", at("files")));
    expect(await tableChecksums(at("copy"), "eth")).toEqual(await tableChecksums(at("trades"), "eth"));
    await fails(index("copy", "--keep", "all"), "is indexed here with --keep trades");
    expect(JSON.parse(await succeeds(quarry("status", "copy", "--json"))).chains[0]).toMatchObject({
      keep: "trades",
      raw_first_block: null,
    });
  });
});

describe("quarry prune", { timeout: 240_000 }, () => {
  const prune = (...more: string[]) => quarry("prune", "whole", ...more);
  let whole: Checksums;

  it("refuses to remove rows that must stay, and removes nothing in a dry run", async () => {
    await succeeds(index("whole"));
    whole = await tableChecksums(at("whole"), "eth");
    await fails(prune("--before", String(LAST)), `the newest final block is ${LAST - 2}`);
    await fails(prune("--before", "2030-01-01"), "Cannot prune before that day");
    await fails(prune("--before", String(FIRST)), `the first stored block is ${FIRST}`);
    await fails(prune("--before", "yesterday"), "Give a block number, or a day");
    const service = startQuarry(["serve", "--data", at("whole"), "--port", "0"]);
    await service.printed(/serving on/);
    await fails(prune("--before", String(BEFORE)), "in use");
    expect((await service.stop()).code).toBe(0);
    const dry = JSON.parse(await succeeds(prune("--before", String(BEFORE), "--dry-run", "--json")));
    expect(dry).toMatchObject({ chain: "eth", raw_first_block: BEFORE, dry_run: true });
    expect(dry.bytes).toBeGreaterThan(100_000);
    expect(await tableChecksums(at("whole"), "eth")).toEqual(whole);
  });

  it("is completed by the next run after kill -9, and the result can be moved to another machine", async () => {
    const running = startQuarry([
      ...["prune", "--before", String(BEFORE)],
      ...["--config", at("quarry.json"), "--data", at("whole")],
    ]);
    await new Promise((resolve) => setTimeout(resolve, 900 + Math.random() * 1_500));
    await running.stop("SIGKILL");
    const done = JSON.parse(await succeeds(prune("--before", String(BEFORE), "--json")));
    expect(done).toMatchObject({ raw_first_block: BEFORE, dry_run: false });
    await fails(index("whole", "--opening-balances", "all"), `those before block ${BEFORE} were pruned`);
    await fails(prune("--before", String(BEFORE - 1)), `blocks before ${BEFORE} have already been pruned`);
    const pruned = await tableChecksums(at("whole"), "eth");
    const rest = ({ transactions, logs, erc20, erc721, ...others }: Checksums) => others;
    expect(rest(pruned)).toEqual(rest(whole));
    expect(pruned.transactions?.rows).toBeLessThan(whole.transactions?.rows ?? 0);
    expect(await succeeds(quarry("doctor", "whole"))).toContain("not checked: rows of transactions");
    await succeeds(quarry("export", "whole", "all", "--include-unfinal", "--out", at("pruned")));
    await succeeds(quarry("import", "moved", at("pruned")));
    expect(await tableChecksums(at("moved"), "eth")).toEqual(pruned);
    const [status] = JSON.parse(await succeeds(quarry("status", "moved", "--json"))).chains;
    expect(status).toMatchObject({ keep: "all", first_block: FIRST, raw_first_block: BEFORE });
  });
});
