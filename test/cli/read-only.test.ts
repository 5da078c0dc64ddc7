import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mountSmallDisk, type SmallDisk } from "../support/engine/small-disk.ts";
import { bundleCounts, MAINNET } from "../support/nodes/bundles.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { runQuarry, startQuarry, temporaryFolder } from "../support/processes/processes.ts";

const { first, last, logs } = bundleCounts(MAINNET);
const COUNT = "SELECT COUNT(*) AS n FROM eth_logs";

const folder = temporaryFolder();
let disk: SmallDisk | null;
let data: string;

beforeAll(async () => {
  disk = mountSmallDisk("512m");
  if (disk === null) return;
  data = join(disk.path, "data");
  const node = await startReplayNode([MAINNET]);
  const blocks = ["--from", String(first), "--to", String(last)];
  const { code, stderr } = await runQuarry(["index", "--rpc", node.url, ...blocks, "--data", data]);
  await node.stop();
  expect(code, stderr).toBe(0);
  execFileSync("mount", ["-o", "remount,ro", disk.path]);
}, 120_000);
afterAll(() => {
  disk?.unmount();
  folder.remove();
});

describe("a data directory on a read-only file system", { timeout: 120_000 }, () => {
  it("is served, and leaves no temporary folder", async ({ skip }) => {
    if (disk === null) return skip();
    const before = readdirSync(tmpdir());
    const service = startQuarry(["serve", "--data", data, "--port", "0"]);
    const [, url = ""] = await service.printed(/serving on (http:[^"]+)/);
    const response = await fetch(`${url}/v1/sql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: COUNT }),
    });
    expect(await response.json()).toEqual([{ n: logs }]);
    await service.printed(/the data directory is read-only/);
    await service.stop("SIGTERM");
    const left = readdirSync(tmpdir()).filter((name) => !before.includes(name));
    expect(left.filter((name) => name.startsWith("quarry-read-only-"))).toEqual([]);
  });

  it("is served by several processes", async ({ skip }) => {
    if (disk === null) return skip();
    const service = startQuarry(["serve", "--data", data, "--port", "0", "--workers", "2"]);
    const [, url = ""] = await service.printed(/serving on (http:[^"]+)/);
    const status = (await (await fetch(`${url}/v1/status`)).json()) as { chains: object[] };
    expect(status.chains).toMatchObject([{ chain: "eth", indexed_block: last }]);
    await service.stop("SIGTERM");
  });

  it("can be queried and exported", async ({ skip }) => {
    if (disk === null) return skip();
    const query = await runQuarry(["query", COUNT, "--data", data, "--format", "csv"]);
    expect([query.code, query.stdout]).toEqual([0, `"n"\n${logs}\n`]);
    const out = join(folder.path, "out");
    const given = ["export", "blocks", "--include-unfinal", "--data", data, "--out", out, "--json"];
    const { code, stdout, stderr } = await runQuarry(given);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ first_block: first, last_block: last });
  });

  it("is not indexed into, and the error says why", async ({ skip }) => {
    if (disk === null) return skip();
    const { code, stderr } = await runQuarry(["index", "--rpc", "http://127.0.0.1:1", "--data", data]);
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining("read-only (EROFS)")]);
    expect(code).not.toBe(0);
  });
});
