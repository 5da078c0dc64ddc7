import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openEraSource } from "../../src/sources/files/era-source.ts";
import { localFiles } from "../../src/sources/files/local-files.ts";
import { Prover } from "../../src/sources/prover/prover.ts";
import type { Source } from "../../src/sources/source.ts";
import type { Checksums } from "../support/engine/table-checksums.ts";
import { wholeBlocks, writeBundle } from "../support/era-files/whole-blocks.ts";
import { writeEre } from "../support/era-files/write-era.ts";
import { type ReplayNode, startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { type IndexRuns, openIndexRuns } from "../support/processes/index-runs.ts";
import { temporaryFolder } from "../support/processes/processes.ts";

const folder = temporaryFolder();
const blocks = wholeBlocks(4);
const encoded = blocks.map((block) => block.encoded);
const [FIRST, LAST] = [encoded[0]?.number ?? 0, encoded.at(-1)?.number ?? 0];
const file = join(folder.path, "all.ere");

let node: ReplayNode;
let runs: IndexRuns;

beforeAll(async () => {
  writeFileSync(file, writeEre(encoded));
  node = await startReplayNode([writeBundle(folder.path, blocks)]);
  runs = await openIndexRuns();
});

afterAll(async () => {
  await node?.stop();
  await runs?.close();
  folder.remove();
});

async function tablesWith(threads: number): Promise<{ rpc: Checksums; files: Checksums }> {
  const prover = new Prover(threads);
  const over = async (endpoint: Source, signal: AbortSignal) => {
    const places = await localFiles(file);
    return openEraSource({ places, chainId: 1, node: endpoint, anchor: null, stored: null, prover, signal });
  };
  // One block per request, so every thread gets work.
  const run = { urls: [node.url], from: FIRST, to: LAST, prover, limits: { maxBlocksPerRequest: 1 } };
  try {
    return { rpc: (await runs.index(run)).tables, files: (await runs.index({ ...run, over })).tables };
  } finally {
    await prover.close();
  }
}

let alone: Awaited<ReturnType<typeof tablesWith>>;

it("blocks give the same tables from an endpoint and from files without threads", async () => {
  alone = await tablesWith(0);
  expect(alone.rpc.dex_trades?.rows).toBeGreaterThan(100);
  expect(alone.files).toEqual(alone.rpc);
});

it.each([1, 2, 4])("blocks give the same tables with %i threads", async (threads) => {
  expect(await tablesWith(threads)).toEqual(alone);
});
