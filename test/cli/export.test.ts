import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDataDirectory } from "../../src/storage/directory/data-directory.ts";
import { type Checksums, tableChecksums } from "../support/engine/table-checksums.ts";
import { bundleCounts, MAINNET } from "../support/nodes/bundles.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { type Node, runQuarry, startQuarry, temporaryFolder } from "../support/processes/processes.ts";

const { first: FIRST, last: LAST, blocks: BLOCKS } = bundleCounts(MAINNET);
const HALF = FIRST + Math.floor(BLOCKS / 2) - 1;
/** Approximate duration of an import of these blocks, including the start of the process. */
const IMPORT_MS = 3_000;
const KILLS = Number(process.env.QUARRY_KILLS ?? 2);

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
let node: Node;
/** Checksums of the tables with all blocks, as indexed from the node. */
let original: Checksums;

const index = (data: string, to: number) =>
  succeeds(["index", "--rpc", node.url, "--from", String(FIRST), "--to", String(to), "--data", at(data)]);

async function succeeds(args: string[]) {
  const finished = await runQuarry(args);
  expect(finished.code, finished.stderr).toBe(0);
  return finished;
}

const exportAll = (data: string, out: string, ...more: string[]) =>
  succeeds(["export", "all", "--include-unfinal", "--data", at(data), "--out", at(out), ...more]);

beforeAll(async () => {
  node = await startReplayNode([MAINNET]);
  await index("original", LAST);
  original = await tableChecksums(at("original"), "eth");
}, 120_000);
afterAll(async () => {
  await node?.stop();
  folder.remove();
});

describe("quarry export and import", { timeout: 180_000 }, () => {
  it("copy real blocks bit for bit, and indexing continues from the copy", async () => {
    await index("half", HALF);
    const { stdout } = await exportAll("half", "half-files", "--format", "csv", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      ...{
        chain: "eth",
        format: "csv",
        first_block: FIRST,
        last_block: HALF,
        days: 1,
        written_days: 1,
        final: false,
      },
    });
    const imported = await succeeds(["import", at("half-files"), "--data", at("copy"), "--json"]);
    const range = { chain: "eth", first_block: FIRST, last_block: HALF };
    expect(JSON.parse(imported.stdout)).toEqual({ ...range, days: 1, imported_days: 1 });
    expect(await tableChecksums(at("copy"), "eth")).toEqual(await tableChecksums(at("half"), "eth"));
    await index("copy", LAST);
    expect(await tableChecksums(at("copy"), "eth")).toEqual(original);
  });

  it("read through a running service, and import again after kill -9 at any moment", async () => {
    const service = startQuarry(["serve", "--data", at("original"), "--port", "0"]);
    await service.printed(/serving on/);
    const { stdout } = await exportAll("original", "files");
    expect(stdout).toMatch(`Blocks ${FIRST} to ${LAST}: 1 day, `);
    expect(stdout).toContain("Some blocks are not final");
    expect((await service.stop()).code).toBe(0);
    for (let kill = 0; kill < KILLS; kill++) {
      const running = startQuarry(["import", at("files"), "--data", at("killed")]);
      await Promise.race([sleep(Math.random() * IMPORT_MS), running.finished]);
      await running.stop("SIGKILL");
    }
    await succeeds(["import", at("files"), "--data", at("killed")]);
    expect(await tableChecksums(at("killed"), "eth")).toEqual(original);
  });

  it("explain what they cannot do", async () => {
    const fails = async (args: string[]) => {
      const { code, stdout, stderr } = await runQuarry(args);
      return [code, stdout, stderr];
    };
    const out = ["--data", at("original"), "--out", at("refused")];
    expect(await fails(["export", "trades", ...out])).toEqual([
      ...[
        2,
        "",
        expect.stringMatching(/'trades' is invalid for argument 'table'. Allowed choices are all, blocks/),
      ],
    ]);
    for (const from of ["yesterday", "2024-02-30"]) {
      expect(await fails(["export", "logs", "--from", from, ...out])).toEqual([
        ...[2, "", expect.stringContaining("Give a block number, or a day as YYYY-MM-DD.")],
      ]);
    }
    expect(await fails(["import", folder.path, "--data", at("none")])).toEqual([
      ...[2, "", expect.stringContaining('there is no export of chain "eth" here')],
    ]);
    const held = await openDataDirectory(at("original"));
    expect(await fails(["export", "all", ...out])).toEqual([
      ...[1, "", expect.stringMatching(/in use by process \d+.*Only a running `quarry start`/)],
    ]);
    await held.release();
  });

  it("name the file that another program has changed", async () => {
    await exportAll("original", "damaged", "--format", "ndjson");
    const { days } = JSON.parse(readFileSync(join(at("damaged"), "eth/manifest.json"), "utf8"));
    const file = join(at("damaged"), `eth/logs/date=${days[0].date}/part-0.ndjson`);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/"log_index":\d+/, '"log_index":999'));
    const { code, stderr } = await runQuarry(["import", at("damaged"), "--data", at("refusing")]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} is damaged: its SHA-256`)]);
  });
});
