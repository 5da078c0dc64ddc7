import { exec, execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Api,
  apiAt,
  ROOT,
  type Running,
  startProcess,
  startQuarry,
  temporaryFolder,
} from "../support/processes/processes.ts";

interface Status {
  chains: [{ first_block: number; indexed_block: number; indexed_timestamp: number; lag_seconds: number }];
}

const DAYS = 0.5;
/** Printed once the market is open and its history begins. */
const HISTORY = /market history: day 0 of 14, \d+ blocks\n/;
const shell = promisify(exec);

describe("a demo that stops early", () => {
  const folder = temporaryFolder();
  const demo = () => startQuarry(["demo", "--data", folder.path, "--port", "0"]);

  afterAll(() => folder.remove());

  /** Resolves in the middle of the history, with blocks in the tables. */
  const indexing = async (running: Running) => {
    const [, url = ""] = await running.printed(/API on (http:\S+)/);
    const indexed = async () => Number((await apiAt(url).get<Status>("/v1/status")).chains[0].indexed_block);
    await expect.poll(indexed, { timeout: 60_000 }).toBeGreaterThan(30);
    await running.printed(HISTORY);
  };

  it.each([
    ["its data directory is named", (running: Running) => running.printed(/data directory/)],
    ["its API listens", (running: Running) => running.printed(/API on/)],
    ["its history is indexed", indexing],
  ])("stops cleanly while %s", async (_, step) => {
    const running = demo();
    await step(running);
    const { code, stdout, stderr } = await running.stop("SIGINT");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/stopping .*\n(.*\n)?· stopped\n$/);
  });

  it("has its own log level in its help", async () => {
    const { stdout } = await startQuarry(["demo", "--help"]).finished;
    expect(stdout.replace(/\s+/g, " ")).toContain("(default: error; QUARRY_LOG_LEVEL)");
  });

  it("rejects a history that ends in the future, because no block could follow until then", async () => {
    const running = startQuarry(["demo", "--data", folder.path, "--port", "0", "--end-time", "4000000000"]);
    const { code, stderr } = await running.finished;
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/--end-time.*4000000000.*future/),
    });
  });

  it("ends with the reason when its node is killed, and reports a deleted chain", async () => {
    const running = demo();
    await running.printed(HISTORY);
    const nodes = execFileSync("pgrep", ["-P", String(running.child.pid), "anvil"], { encoding: "utf8" });
    process.kill(Number(nodes), "SIGKILL");
    const { code, stderr } = await running.finished;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^quarry: .*anvil.* exited unexpectedly \(SIGKILL\)\. Start again.*\n$/),
    });
    rmSync(join(folder.path, "demo-chain"), { recursive: true });
    const again = await demo().finished;
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringMatching(/is gone.*delete this one as a whole/),
    ]);
  });
});

describe("the demo with few options", () => {
  const folder = temporaryFolder();
  let demo: Running;
  let api: Api;

  const start = async () => {
    demo = startQuarry(["demo", "--days", String(DAYS), "--data", folder.path, "--port", "0"]);
    const [, url] = await demo.printed(/API on (http:\S+)/);
    api = apiAt(url ?? "");
    await demo.printed(/Ctrl-C stops it/, 120_000);
  };

  beforeAll(start, 180_000);

  afterAll(async () => {
    await demo?.stop();
    folder.remove();
  });

  it("runs the requests of its banner as printed", async () => {
    const banner = demo.output();
    const gets = [...banner.matchAll(/curl '(http[^']+\?[^']+)'/g)].map((match) => match[1] ?? "");
    expect(gets).toHaveLength(2);
    for (const url of gets) {
      const response = await fetch(url);
      expect(response.status, url).toBe(200);
      expect(JSON.stringify(await response.json())).toMatch(/"price_(usd|close)":\d/);
    }
    const [, body] = banner.match(/-d '(\{.*\})'/) ?? [];
    const rows = await api.sql<{ trades: number; volume_usd: number }>(JSON.parse(body ?? "{}").query);
    expect(rows).toHaveLength(5);
    expect(rows[0]?.volume_usd).toBeGreaterThan(1_000);
  });

  it("runs every request of the README as written, and streams until it is stopped", async () => {
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    const requests = readme.split("\n").filter((line) => /^curl .*127\.0\.0\.1:8080/.test(line));
    expect(requests).toHaveLength(4);
    const [streamed = "", ...answered] = requests.toReversed();
    for (const request of answered) {
      const here = request.replace("http://127.0.0.1:8080", api.url);
      const { stdout } = await shell(`${here} --silent --show-error --fail`);
      expect(stdout, request).toMatch(/"(price_close|price_usd|volume_usd)":\d/);
    }
    const here = streamed.replace("http://127.0.0.1:8080", api.url);
    const child = startProcess("sh", ["-c", `exec ${here} --silent --show-error`]);
    await child.printed(/^event: snapshot\n/m);
    // The demo makes a block every few seconds, and most have a trade of this token.
    await child.printed(/^data: .*"amount_usd":\d{4}/m, 120_000);
    await child.stop();
  });

  it("runs every request of docs/start.md as written", async () => {
    const blocks = readFileSync(join(ROOT, "docs/start.md"), "utf8").matchAll(/```(?:sh|bash)\n([^`]*)```/g);
    const lines = [...blocks].flatMap(([, block = ""]) => block.split("\n"));
    const requests = lines.filter((line) => line.startsWith("curl "));
    expect(requests).toHaveLength(2);
    for (const request of requests) {
      const here = request.replace("http://127.0.0.1:8080", api.url);
      const { stdout } = await shell(`${here} --silent --show-error --write-out '\\n%{http_code}'`);
      const [, body = "", status] = /^(.*)\n(\d+)$/s.exec(stdout) ?? [];
      expect(status, body).toBe("200");
      const answer: unknown[] | { data: unknown[] } = JSON.parse(body);
      expect("data" in answer ? answer.data : answer, request).not.toEqual([]);
    }
  });

  it("is ready and has a recent block", async () => {
    expect(await api.get("/ready")).toEqual({ ready: true });
    const { chains } = await api.get<Status>("/v1/status");
    expect(chains[0].lag_seconds).toBeLessThan(30);
  });

  it("has the history that it announces", async () => {
    const [row] = await api.sql<{ first: string; last: string; trades: number }>(
      "SELECT MIN(timestamp) AS first, MAX(timestamp) AS last, COUNT(*) AS trades FROM eth_dex_trades",
    );
    const days = (Date.parse(row?.last ?? "") - Date.parse(row?.first ?? "")) / 86_400_000;
    expect(days).toBeGreaterThan(DAYS * 0.95);
    expect(row?.trades).toBeGreaterThan(500);
  });

  it("continues live", async () => {
    const before = (await api.get<Status>("/v1/status")).chains[0].indexed_block;
    await expect
      .poll(async () => (await api.get<Status>("/v1/status")).chains[0].indexed_block, { timeout: 20_000 })
      .toBeGreaterThan(before + 1);
  });

  it("has every kind of event that the documentation mentions", async () => {
    const count = async (from: string) =>
      (await api.sql<{ n: number }>(`SELECT COUNT(*) AS n FROM ${from}`))[0]?.n;
    expect(await count("eth_transactions WHERE status = 0")).toBeGreaterThan(0);
    expect(await count("eth_erc721")).toBeGreaterThan(0);
    expect(await count("eth_token_metadata WHERE token_symbol = 'WBTC' AND decimals = 8")).toBe(1);
    const protocols = await api.sql(
      "SELECT protocol_name, COUNT(*) AS n FROM eth_dex_trades GROUP BY protocol_name",
    );
    expect(protocols.length).toBeGreaterThanOrEqual(2);
  });

  it("stops on request and resumes where it stopped", async () => {
    const before = (await api.get<Status>("/v1/status")).chains[0];
    expect((await demo.stop("SIGINT")).code).toBe(0);
    await start();
    const after = (await api.get<Status>("/v1/status")).chains[0];
    expect(after.first_block).toBe(before.first_block);
    expect(after.indexed_block).toBeGreaterThanOrEqual(before.indexed_block);
  });

  it("survives kill -9", async () => {
    await demo.stop("SIGKILL");
    await start();
    const before = (await api.get<Status>("/v1/status")).chains[0].indexed_block;
    await expect
      .poll(async () => (await api.get<Status>("/v1/status")).chains[0].indexed_block, { timeout: 20_000 })
      .toBeGreaterThan(before);
    const [row] = await api.sql<{ n: number; distinct: number }>(
      "SELECT COUNT(*) AS n, COUNT(DISTINCT block_number) AS distinct_blocks FROM eth_blocks",
    );
    expect(row?.n).toBe((row as unknown as { distinct_blocks: number }).distinct_blocks);
  });
});
