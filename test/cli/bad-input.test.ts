import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tableChecksums } from "../support/engine/table-checksums.ts";
import { bundleCounts, MAINNET } from "../support/nodes/bundles.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { type Node, runQuarry, startQuarry, temporaryFolder } from "../support/processes/processes.ts";
import { runHere } from "../support/processes/run-here.ts";

const { first, last, logs } = bundleCounts(MAINNET);
const RANGE = ["--from", String(first), "--to", String(last)];

describe("the command line with invalid input", () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const fresh = () => join(folder.path, String(Math.random()).slice(2));

  it.each([
    [["index", "--chain", "bitcoin", "--rpc", "http://127.0.0.1:1"], /unknown chain "bitcoin".*base, matic/s],
    [["index", "--chain", "eth"], /missing --rpc.*QUARRY_RPC/s],
    [["index", "--rpc", "http://127.0.0.1:1", "--from", "x"], /--from: "x" is not allowed/],
    [["index", "--rpc", "http://127.0.0.1:1", "--from", "-1"], /--from/],
    [["serve", "--port", "99999"], /--port: "99999" is not allowed/],
    [["serve", "--config", "/nowhere.json"], /cannot read the configuration file/],
    [["dance"], /unknown command 'dance'/],
  ])("%j", async (args, message) => {
    const { code, stderr } = await runHere([...args, ...(args[0] === "dance" ? [] : ["--data", fresh()])]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
  });

  it("names the endpoint that cannot be reached", async () => {
    const { code, stderr } = await runHere([
      "index",
      "--rpc",
      "http://127.0.0.1:1",
      ...RANGE,
      "--data",
      fresh(),
    ]);
    expect(stderr).toContain("127.0.0.1:1");
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(1);
  });

  it("rejects a folder that is not a data directory", async () => {
    const data = fresh();
    mkdirSync(data);
    writeFileSync(join(data, "thesis.txt"), "years of work");
    const { code, stderr } = await runHere(["serve", "--data", data, "--port", "0"]);
    expect(stderr).toMatch(/not a Quarry data directory/i);
    expect(code).toBe(1);
  });

  it("rejects a port that is in use", async () => {
    const first = startQuarry(["serve", "--data", fresh(), "--port", "0"]);
    const [, port] = await first.printed(/"url":"http:\/\/127.0.0.1:(\d+)"/);
    const { code, stderr } = await runHere(["serve", "--data", fresh(), "--port", port ?? ""]);
    await first.stop();
    expect(stderr).toMatch(/port is in use/);
    expect(code).toBe(2);
  });

  it("warns about an empty data directory, such as a mistyped one", async () => {
    const empty = startQuarry(["serve", "--data", fresh(), "--port", "0"]);
    const [, url] = await empty.printed(/"url":"(http:[^"]+)"/);
    expect(empty.output()).toMatch(/no chain is indexed here/);
    expect((await fetch(`${url}/ready`)).status).toBe(503);
    await empty.stop();
  });

  it("warns that a service for other machines has no keys, and of the mistyped variable with its keys", async () => {
    const args = ["serve", "--data", fresh(), "--port", "0", "--host", "0.0.0.0"];
    const open = startQuarry(args, { QUARRY_KYES: "a-secret-of-16-characters" });
    await open.printed(/"url":"(http:[^"]+)"/);
    expect(open.output()).toContain("the variable QUARRY_KYES is not a setting; did you mean QUARRY_KEYS?");
    expect(open.output()).toContain("other machines can use this service without an API key");
    await open.stop();
    const closed = startQuarry([...args, "--keys", "a-secret-of-16-characters"]);
    await closed.printed(/"url":"(http:[^"]+)"/);
    expect(closed.output()).not.toContain("without an API key");
    await closed.stop();
  });

  it("rejects a data directory in use", async () => {
    const data = fresh();
    const first = startQuarry(["serve", "--data", data, "--port", "0"]);
    await first.printed(/"url"/);
    const { code, stderr } = await runHere(["serve", "--data", data, "--port", "0"]);
    await first.stop();
    expect(stderr).toMatch(new RegExp(`in use.*${first.child.pid}`, "s"));
    expect(code).toBe(1);
  });
});

describe("quarry index with invalid input", () => {
  const folder = temporaryFolder();
  let node: Node;
  let polygon: Node;

  beforeAll(async () => {
    node = await startReplayNode([MAINNET]);
    polygon = await startReplayNode([MAINNET], { chainId: 137 });
  });

  afterAll(async () => {
    await Promise.all([node.stop(), polygon.stop()]);
    folder.remove();
  });

  it("rejects an endpoint of another chain", async () => {
    const data = join(folder.path, "wrong-chain");
    const { code, stderr } = await runHere(["index", "--rpc", polygon.url, ...RANGE, "--data", data]);
    expect(stderr).toMatch(/137/);
    expect(stderr).toMatch(/chain id/);
    expect(code).not.toBe(0);
  });

  it("rejects a range that would leave a gap", async () => {
    const data = join(folder.path, "gap");
    const index = (from: number, to: number) =>
      runHere(["index", "--rpc", node.url, "--from", String(from), "--to", String(to), "--data", data]);
    expect((await index(first + 1, first + 1)).code).toBe(0);
    expect((await index(last, last)).stderr).toMatch(new RegExp(`leave a gap.*--from ${first + 2}`, "s"));
    expect((await index(first + 1, first + 2)).code).toBe(0);
  });

  it.skipIf(!canMount())(
    "stops cleanly when the disk is full, and continues when there is space",
    async () => {
      const mount = join(folder.path, "small-disk");
      mkdirSync(mount);
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", mount]);
      try {
        const args = [
          "index",
          "--rpc",
          node.url,
          ...RANGE,
          "--data",
          join(mount, "data"),
          "--batch-blocks",
          "1",
        ];
        const full = await runQuarry(args);
        expect(full.code, full.stderr).toBe(1);
        expect(full.stderr).toMatch(/disk.*full|no space/i);
        execFileSync("mount", ["-o", "remount,size=300m", mount]);
        const after = await runQuarry(args);
        expect(after.code, after.stderr).toBe(0);
        expect((await tableChecksums(join(mount, "data"), "eth")).logs?.rows).toBe(logs);
      } finally {
        execFileSync("umount", ["-l", mount]);
      }
    },
  );
});

/** Returns whether this process can mount, which needs root. Without it, the test is skipped. */
function canMount(): boolean {
  const probe = temporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", probe.path], { stdio: "ignore" });
    execFileSync("umount", [probe.path]);
    return true;
  } catch {
    return false;
  } finally {
    probe.remove();
  }
}
