import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex } from "../src/lib/hex.ts";
import { type LocalNode, startLocalNode, transfer } from "./support/local-node.ts";
import {
  type Api,
  apiAt,
  type Running,
  runQuarry,
  startQuarry,
  temporaryFolder,
} from "./support/processes.ts";
import { tableChecksums } from "./support/table-checksums.ts";

const FINAL_DEPTH = 24;
const LOCAL = {
  chainId: 31337,
  nativeSymbol: "ETH",
  wrappedNative: `0x${"ee".repeat(20)}`,
  stableCoins: [],
  referencePools: [],
  deployments: [],
  finality: { kind: "depth", blocks: FINAL_DEPTH },
  blockTimeMs: 200,
};

const folder = temporaryFolder();
const config = join(folder.path, "local.json");
let folders = 0;
let node: LocalNode;
let token: Hex;

beforeAll(async () => {
  writeFileSync(config, JSON.stringify({ chains: { local: LOCAL } }));
  node = await startLocalNode();
  token = await node.deployToken();
  await node.mine(token, 40, 1);
});

afterAll(async () => {
  await node?.stop();
  folder.remove();
});

const newFolder = () => join(folder.path, String(folders++));
const chainArgs = (data: string) => [
  "--config",
  config,
  "--chain",
  "local",
  "--rpc",
  node.url,
  "--data",
  data,
];

interface Follower {
  running: Running;
  api: Api;
  data: string;
}

async function follow(data: string, more: string[] = []): Promise<Follower> {
  const running = startQuarry(["start", ...chainArgs(data), "--port", "0", ...more]);
  const [, url] = await running.printed(/serving on (http:\/\/[\w.:]+)/);
  return { running, api: apiAt(url ?? ""), data };
}

/** Waits until the newest stored block is the node's head. */
async function caughtUp({ api, running }: Follower): Promise<void> {
  const head = await node.head();
  for (let tries = 0; tries < 150; tries++) {
    // While nothing is indexed, the answer is an error.
    const question = `SELECT block_hash FROM local_blocks WHERE block_number = ${head.number}`;
    const rows = await api.sql<{ block_hash: Hex }>(question).catch(() => []);
    if (rows[0]?.block_hash === head.hash) return;
    await sleep(100);
  }
  throw new Error(`never reached ${JSON.stringify(head)}:\n${running.output()}`);
}

async function freshTables(from = 0) {
  const data = newFolder();
  const to = String((await node.head()).number);
  const { code, stderr } = await runQuarry(["index", ...chainArgs(data), "--from", String(from), "--to", to]);
  expect(code, stderr).toBe(0);
  return tableChecksums(data, "local");
}

async function stopped({ running }: Follower): Promise<void> {
  const { code, stderr } = await running.stop();
  expect(code, stderr).toBe(0);
}

/** Other transactions than the blocks before had, at the given depth. */
async function reorg(kind: string, depth: number): Promise<void> {
  const seed = 100 + depth;
  if (kind === "anvil_reorg") {
    const replaced = Array.from({ length: depth }, (_, i) => [transfer(token, seed * 1_000 + i), i]);
    await node.rpc("anvil_reorg", depth, replaced);
  } else {
    await node.rpc("anvil_rollback", depth);
    await node.mine(token, depth + 1, seed);
  }
}

describe("an indexer that follows a chain which changes its mind", () => {
  it.each(["anvil_reorg", "anvil_rollback"])("holds what a fresh index holds, after %s", async (kind) => {
    const follower = await follow(newFolder(), ["--from", "0"]);
    await caughtUp(follower);
    for (const depth of [1, 2, 3, 7, 20]) {
      await reorg(kind, depth);
      await caughtUp(follower);
      await node.mine(token, 3, depth);
    }
    await caughtUp(follower);
    await stopped(follower);
    expect(await tableChecksums(follower.data, "local")).toEqual(await freshTables());
  });
});
