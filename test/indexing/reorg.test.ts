import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex } from "../../src/lib/hex.ts";
import { tableChecksums } from "../support/engine/table-checksums.ts";
import { BARE_CHAIN } from "../support/nodes/bare-chain.ts";
import { type LocalNode, startLocalNode, transfer } from "../support/nodes/local-node.ts";
import {
  type Api,
  apiAt,
  type Finished,
  type Running,
  runQuarry,
  startQuarry,
  temporaryFolder,
} from "../support/processes/processes.ts";

const FINAL_DEPTH = 24;
const LOCAL = {
  ...BARE_CHAIN,
  finality: { kind: "depth", blocks: FINAL_DEPTH },
  blockTimeMs: 200,
};

const folder = temporaryFolder();
const config = join(folder.path, "local.json");
let folders = 0;
let forks = 100;
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
    // The response is an error until a block is indexed.
    const question = `SELECT block_hash FROM local_blocks WHERE block_number = ${head.number}`;
    const rows = await api.sql<{ block_hash: Hex }>(question).catch(() => []);
    if (rows[0]?.block_hash === head.hash) return;
    await sleep(100);
  }
  throw new Error(`never reached ${JSON.stringify(head)}:\n${running.output()}`);
}

/** Indexes up to the current head. */
async function indexed(data: string, from = 0): Promise<Finished> {
  const range = ["--from", String(from), "--to", String((await node.head()).number)];
  return runQuarry(["index", ...chainArgs(data), ...range]);
}

async function freshTables(from = 0) {
  const data = newFolder();
  const { code, stderr } = await indexed(data, from);
  expect(code, stderr).toBe(0);
  return tableChecksums(data, "local");
}

async function stopped({ running }: Follower): Promise<void> {
  const { code, stderr } = await running.stop();
  expect(code, stderr).toBe(0);
}

/** Replaces the newest `depth` blocks with `grown` others that have different transactions. */
async function fork(depth: number, grown: number): Promise<void> {
  await node.rpc("anvil_rollback", depth);
  await node.mine(token, grown, ++forks);
}

describe("an indexer that follows a chain through reorgs", () => {
  it("has the data of a fresh index after forks of any depth, longer and shorter", async () => {
    const follower = await follow(newFolder(), ["--from", "0"]);
    await caughtUp(follower);
    for (const depth of [1, 2, 7, 20]) {
      const replaced = Array.from({ length: depth }, (_, i) => [transfer(token, depth * 1_000 + i), i]);
      await node.rpc("anvil_reorg", depth, replaced);
      await caughtUp(follower);
      await fork(depth, depth + 1);
      await caughtUp(follower);
      await fork(depth, Math.ceil(depth / 2));
      await caughtUp(follower);
    }
    const snapshot = await node.rpc("evm_snapshot");
    await node.mine(token, 4, ++forks);
    await caughtUp(follower);
    await node.rpc("evm_revert", snapshot);
    await node.mine(token, 2, ++forks);
    await caughtUp(follower);
    await stopped(follower);
    expect(await tableChecksums(follower.data, "local")).toEqual(await freshTables());
  });

  it("finds a fork that happened while it was stopped, even if it is final by then", async () => {
    const data = newFolder();
    expect(await indexed(data)).toMatchObject({ code: 0 });
    await fork(5, FINAL_DEPTH + 40);
    expect(await indexed(data)).toMatchObject({ code: 0 });
    expect(await tableChecksums(data, "local")).toEqual(await freshTables());
  });

  it("starts again when the first indexed block is gone, twice", async () => {
    const first = (await node.head()).number - 2;
    const follower = await follow(newFolder(), ["--from", String(first)]);
    await caughtUp(follower);
    await fork(6, 7);
    await caughtUp(follower);
    await fork(6, 5);
    await caughtUp(follower);
    await stopped(follower);
    expect(await tableChecksums(follower.data, "local")).toEqual(await freshTables(first));
  });

  it("survives kill -9 during forks", async () => {
    const data = newFolder();
    for (let kill = 0; kill < 4; kill++) {
      const { running } = await follow(data, ["--from", "0"]);
      await fork(4, 5);
      await sleep(Math.random() * 600);
      await running.stop("SIGKILL");
    }
    const follower = await follow(data, ["--from", "0"]);
    await caughtUp(follower);
    await stopped(follower);
    expect(await tableChecksums(data, "local")).toEqual(await freshTables());
  });

  it("stops at a fork below finality and changes nothing; following its advice helps", async () => {
    const follower = await follow(newFolder(), ["--from", "0"]);
    await caughtUp(follower);
    await follower.running.stop();
    const before = await tableChecksums(follower.data, "local");
    await fork(FINAL_DEPTH + 5, FINAL_DEPTH + 8);
    const { code, stderr } = await indexed(follower.data);
    expect(stderr).toMatch(/which counts as final.*Nothing was changed.*--rpc.*--data/s);
    expect(code).toBe(1);
    expect(await tableChecksums(follower.data, "local")).toEqual(before);
    const [, block = ""] = stderr.match(/"quarry rewind (\d+)"/) ?? [];
    const place = ["--config", config, "--chain", "local", "--data", follower.data];
    expect(await runQuarry(["rewind", block, ...place])).toMatchObject({ code: 0 });
    expect(await indexed(follower.data)).toMatchObject({ code: 0 });
    expect(await tableChecksums(follower.data, "local")).toEqual(await freshTables());
  });

  it("does not rewind to a block that it does not have", async () => {
    const place = ["--config", config, "--chain", "local", "--data", newFolder()];
    const { code, stderr } = await runQuarry(["rewind", "7", ...place]);
    expect(stderr).toMatch(/^quarry: .* is not a data directory; nothing is indexed there\. Give another /);
    expect(code).toBe(2);
  });
});
