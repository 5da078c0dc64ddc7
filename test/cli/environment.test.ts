import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Check } from "../../src/cli/environment/check.ts";
import { endpointChecks } from "../../src/cli/environment/endpoint-checks.ts";
import { checkMemory, checkNode } from "../../src/cli/environment/machine-checks.ts";
import { serverVersion } from "../../src/cli/environment/store-checks.ts";
import { runQuarry, startQuarry, temporaryFolder } from "../support/processes/processes.ts";

const folder = temporaryFolder();
const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) server.close();
  folder.remove();
});

/** Starts a server with a fixed result for each JSON-RPC method. It rejects all other methods. */
async function startNode(results: Record<string, unknown>): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString() || "{}");
    const respond = ({ id, method }: { id: number; method: string }) =>
      method in results
        ? { jsonrpc: "2.0", id, result: results[method] }
        : { jsonrpc: "2.0", id, error: { code: -32601, message: "method not found" } };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(Array.isArray(body) ? body.map(respond) : respond(body)));
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const hash = `0x${"ab".repeat(32)}`;
const header = (timestamp: number) => ({
  number: "0x10",
  hash,
  parentHash: hash,
  timestamp: `0x${Math.round(timestamp).toString(16)}`,
});

async function doctor(
  ...args: string[]
): Promise<{ code: number | null; checks: Map<string, Check>; healthy: boolean }> {
  const { code, stdout, stderr } = await runQuarry(["doctor", "--json", "--port", "0", ...args]);
  expect(stderr).toBe("");
  const { environment, healthy } = JSON.parse(stdout) as { environment: Check[]; healthy: boolean };
  return { code, healthy, checks: new Map(environment.map((check) => [check.check, check])) };
}

describe("quarry doctor", () => {
  it("checks the environment when nothing is stored, and creates nothing", async () => {
    const data = join(folder.path, "new");
    const { code, stdout } = await runQuarry(["doctor", "--data", data, "--port", "0"]);
    expect(stdout).toMatch(/^ok {4}Node\.js: \d/);
    expect(stdout).toMatch(/\nok {4}embedded engine: chDB [\d.]+ loads\n/);
    expect(stdout).toContain(
      `No block of chain "eth" is stored in ${data}, so only the environment was checked.\n`,
    );
    expect(code).toBe(stdout.includes("\nfail") ? 1 : 0);
    expect(existsSync(data)).toBe(false);
  });

  it("checks endpoints: unreachable, of another chain, without receipts, with another time, right", async () => {
    const now = Date.now() / 1_000;
    const eth = { eth_chainId: "0x1", eth_getBlockReceipts: [] };
    const urls = await Promise.all([
      startNode({ ...eth, eth_getBlockByNumber: header(now) }),
      startNode({ ...eth, eth_chainId: "0x2105", eth_getBlockByNumber: header(now) }),
      startNode({ eth_chainId: "0x1", eth_getBlockByNumber: header(now) }),
      startNode({ ...eth, eth_getBlockByNumber: header(now + 600) }),
    ]);
    const data = join(folder.path, "new");
    const { code, healthy, checks } = await doctor(
      "--data",
      data,
      "--rpc",
      [...urls, "http://127.0.0.1:1"].join(","),
    );
    const found = (url = "") => checks.get(`RPC ${url}`);
    expect(found(urls[0])).toMatchObject({ verdict: "ok", advice: null });
    expect(found(urls[1])).toMatchObject({
      verdict: "fail",
      found: expect.stringContaining("chain id 8453"),
    });
    expect(found(urls[2])).toMatchObject({
      verdict: "fail",
      found: expect.stringContaining("eth_getBlockReceipts"),
    });
    expect(checks.get(`clock compared with RPC ${urls[3]}`)).toMatchObject({ verdict: "warn" });
    expect(found("http://127.0.0.1:1")).toMatchObject({
      verdict: "fail",
      found: expect.stringContaining("REFUSED"),
    });
    expect([code, healthy]).toEqual([1, false]);
  });

  it("reports what is wrong with a data directory, a port and a server, and what to do", async () => {
    const old = join(folder.path, "old");
    mkdirSync(old);
    writeFileSync(join(old, "quarry-format.json"), '{"format":1}');
    const taken = await startNode({});
    const port = new URL(taken).port;
    const first = await doctor("--data", old, "--port", port);
    expect(first.checks.get("data directory")).toMatchObject({
      verdict: "fail",
      found: expect.stringContaining("format 1"),
      advice: expect.stringContaining("index again"),
    });
    expect(first.checks.get("port")).toMatchObject({
      verdict: "fail",
      advice: expect.stringContaining("--port"),
    });
    expect(first.code).toBe(1);
    const second = await doctor("--clickhouse", "http://127.0.0.1:1");
    expect(second.checks.get("ClickHouse server")).toMatchObject({
      verdict: "fail",
      advice: expect.any(String),
    });
    expect(second.checks.has("disk")).toBe(false);
  });

  it("accepts a Quarry service on the port, and reports its directory as in use", async () => {
    const data = join(folder.path, "served");
    const service = startQuarry(["serve", "--data", data, "--port", "0"]);
    const [, port = ""] = await service.printed(/serving on http:\/\/[\d.]+:(\d+)/);
    const { code, checks } = await doctor("--data", data, "--port", port);
    const ofBlocks = await doctor("--data", data, "--port", port, "--from", "5");
    await service.stop();
    expect(ofBlocks.checks.get("data directory")).toEqual(checks.get("data directory"));
    expect(ofBlocks.code).toBe(1);
    expect(checks.get("port")).toMatchObject({
      verdict: "ok",
      found: expect.stringContaining("Quarry is running"),
    });
    expect(checks.get("data directory")).toMatchObject({
      verdict: "fail",
      advice: expect.stringContaining("Stop that process"),
    });
    expect(code).toBe(1);
  });
});

describe("the limits of the environment", () => {
  it.each([
    [checkNode("18.20.1"), "fail"],
    [checkNode("20.18.9"), "fail"],
    [checkNode("20.19.0"), "ok"],
    [checkNode("22.0.0"), "ok"],
    [checkMemory(0.5 * 2 ** 30), "fail"],
    [checkMemory(1 * 2 ** 30), "warn"],
    [checkMemory(2 * 2 ** 30), "ok"],
    [serverVersion("24.8.1.1", "26.7.2.1"), "warn"],
    [serverVersion("26.8.1.1", "26.7.2.1"), "ok"],
    [serverVersion("27.1.1.1", "26.7.2.1"), "ok"],
  ])("%o is %s", (check, verdict) => {
    expect(check.verdict).toBe(verdict);
    expect(check.advice === null).toBe(verdict === "ok");
  });

  it("requires receipts only if blocks are verified", () => {
    const head = { number: 1, hash: "0x00", parentHash: null, timestamp: 1_000 } as const;
    const facts = { url: "http://node", trouble: null, head, hasReceipts: false };
    expect(endpointChecks(facts, true, 1_000).map(({ verdict }) => verdict)).toEqual(["fail"]);
    expect(endpointChecks(facts, false, 1_000).map(({ verdict }) => verdict)).toEqual(["ok", "ok"]);
    expect(endpointChecks(facts, false, 1_121).map(({ verdict }) => verdict)).toEqual(["ok", "warn"]);
  });
});
