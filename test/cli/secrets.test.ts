import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleCounts, MAINNET } from "../support/nodes/bundles.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import {
  type Node,
  type Running,
  runQuarry,
  startQuarry,
  temporaryFolder,
} from "../support/processes/processes.ts";

const { first } = bundleCounts(MAINNET);
const SECRETS = {
  user: "plantedUser7f3a",
  password: "plantedPassword91bc",
  pathKey: "plantedPathKey55de",
  queryKey: "plantedQueryKey02fa",
  apiKey: "plantedApiKey4477aa",
  wrongKey: "plantedWrongKey8812",
};

describe("secrets of the configuration and of requests", () => {
  const folder = temporaryFolder();
  let node: Node;
  let running: Running;
  let url: string;

  beforeAll(async () => {
    node = await startReplayNode([MAINNET]);
    const { user, password, pathKey, queryKey, apiKey } = SECRETS;
    const [, place = ""] = /^http:\/\/(.*)$/.exec(node.url) ?? [];
    const secret = `http://${user}:${password}@${place}/v3/${pathKey}?token=${queryKey}`;
    // The second endpoint fails, so that failures are logged.
    const broken = `http://${user}:${password}@127.0.0.1:1/v3/${pathKey}?token=${queryKey}`;
    const args = ["start", "--chain", "eth", "--data", folder.path, "--port", "0", "--log-level", "debug"];
    running = startQuarry([...args, "--from", String(first)], {
      QUARRY_RPC: `${secret},${broken}`,
      QUARRY_KEYS: apiKey,
    });
    [, url = ""] = await running.printed(/serving on (http:\/\/[\w.:]+)/);
  });
  afterAll(async () => {
    await running?.stop();
    await node?.stop();
    folder.remove();
  });

  it("are not in the message that a database server does not respond", async () => {
    const { user, password, queryKey } = SECRETS;
    const server = `http://${user}:${password}@127.0.0.1:1/db?token=${queryKey}`;
    const { code, stderr } = await runQuarry(["serve", "--port", "0"], { QUARRY_CLICKHOUSE: server });
    expect([code, stderr]).toEqual([1, expect.stringContaining("127.0.0.1:1")]);
    for (const secret of [user, password, queryKey]) expect(stderr).not.toContain(secret);
  });

  it("are in no log line, response, status or metric", async () => {
    const { apiKey, wrongKey } = SECRETS;
    const texts: string[] = [];
    const send = async (path: string, options: RequestInit = {}) => {
      const response = await fetch(url + path, options);
      texts.push(JSON.stringify([...response.headers]), await response.text());
      return response.status;
    };
    const sql = (query: string) => ({
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ query }),
    });
    expect(await send("/v1/sql", sql("SELECT COUNT(*) AS n FROM eth_blocks"))).toBeLessThan(504);
    expect(await send("/v1/sql", sql("SELECT nothing FROM nowhere"))).toBe(400);
    expect(await send(`/v1/status?key=${apiKey}`)).toBe(200);
    expect(await send(`/v1/status?key=${wrongKey}`)).toBe(401);
    expect(await send(`/v1/nothing?key=${apiKey}`)).toBe(404);
    expect(await send("/v1/status", { headers: { "x-api-key": wrongKey } })).toBe(401);
    for (const path of ["/ready", "/health", "/metrics", "/openapi.json"]) {
      await send(path, { headers: { "x-api-key": apiKey } });
    }
    await expect.poll(() => running.output()).toContain("127.0.0.1:1");
    texts.push(running.output());
    // The URLs appear in the texts, but without their secrets.
    expect(texts.join("\n")).toContain("127.0.0.1:1/v3/");
    for (const [name, secret] of Object.entries(SECRETS)) {
      expect(
        texts.filter((text) => text.includes(secret)),
        name,
      ).toEqual([]);
    }
  });
});
