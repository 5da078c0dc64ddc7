import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Checksums, tableChecksums } from "../support/engine/table-checksums.ts";
import { bundleCounts, MAINNET } from "../support/nodes/bundles.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { type Node, runQuarry, startQuarry, temporaryFolder } from "../support/processes/processes.ts";

const { first: FIRST, last: LAST } = bundleCounts(MAINNET);
/** First block of the index before the extension. */
const LATER = LAST - 2;
/** Number of kills. For a longer run: QUARRY_KILLS=50. */
const KILLS = Number(process.env.QUARRY_KILLS ?? 2);
const BUILDING_MS = 4_000;

const folder = temporaryFolder();
const data = `${folder.path}/extended`;
let node: Node;
let expected: Checksums;

const index = (directory: string, ...flags: string[]) => [
  ...["index", "--rpc", node.url, "--to", String(LAST), "--data", directory, "--batch-blocks", "2"],
  ...flags,
];

async function run(args: string[]): Promise<string> {
  const { code, stderr, stdout } = await runQuarry(args);
  expect(code, stderr).toBe(0);
  return `${stdout}${stderr}`;
}

beforeAll(async () => {
  node = await startReplayNode([MAINNET]);
  await run(index(`${folder.path}/fresh`, "--from", String(FIRST)));
  expected = await tableChecksums(`${folder.path}/fresh`, "eth");
  await run(index(data, "--from", String(LATER)));
});
afterAll(async () => {
  await node.stop();
  folder.remove();
});

it("refuses an extension if the disk is too small, and still refuses a range that leaves a gap", async () => {
  const small = await runQuarry(index(data, "--from", String(FIRST), "--disk-reserve", "1048576"));
  expect(small.code).not.toBe(0);
  expect(small.stderr).toContain(
    `Extending the index from block ${LATER} down to block ${FIRST} needs about`,
  );
  expect(small.stderr).toContain("of which 1048576 MiB must stay free (--disk-reserve)");
  const gap = await runQuarry(index(data, "--from", String(LAST + 5), "--to", String(LAST + 9)));
  expect(gap.stderr).toContain("would leave a gap after the indexed blocks");
  expect(await run(["extension", "--data", data])).toContain("no extension is in progress");
});

it("can be cancelled, which leaves the index as it was", async () => {
  const before = await tableChecksums(data, "eth");
  const running = startQuarry(index(data, "--from", String(FIRST)));
  await running.printed(/extending to block/);
  await running.stop("SIGKILL");
  expect(await run(["extension", "--data", data])).toContain(
    `the extension begins with block ${FIRST}, built up to`,
  );
  const other = await runQuarry(index(data, "--from", String(FIRST + 1)));
  expect(other.stderr).toContain(`is already being extended down to block ${FIRST}`);
  const paused = await run(index(data, "--from", String(LATER)));
  expect(paused).toContain("the extension is paused");
  await run(["extension", "--cancel", "--data", data]);
  expect(await run(["extension", "--data", data])).toContain("no extension is in progress");
  expect(await tableChecksums(data, "eth")).toEqual(before);
});

it("gives the same tables as indexing from the lower block, even if killed at any moment", async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const flags = kill === 0 ? ["--from", String(FIRST)] : [];
    const running = startQuarry(index(data, "--fsync", ...flags));
    await running.printed(/extending the index to earlier blocks|endpoints are ready/);
    await Promise.race([sleep(Math.random() * BUILDING_MS), running.finished]);
    await running.stop("SIGKILL");
  }
  await run(index(data, "--fsync", "--from", String(FIRST)));
  expect(await tableChecksums(data, "eth")).toEqual(expected);
  expect(await run(["extension", "--data", data])).toContain(
    `blocks ${FIRST} to ${LAST} are indexed; no extension`,
  );
});
