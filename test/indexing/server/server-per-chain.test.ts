import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ethereum } from "../../../src/chains/ethereum.ts";
import { sql } from "../../../src/engine-sql/sql-text.ts";
import { connectServerEngine } from "../../../src/storage/engines/server/server-engine.ts";
import { type ClickHouseServer, startClickHouse } from "../../support/engine/clickhouse-server.ts";
import { FaultyServer } from "../../support/engine/servers/faulty-server.ts";
import { bundleCounts, MAINNET } from "../../support/nodes/bundles.ts";
import { startReplayNode } from "../../support/nodes/replay/replay-node.ts";
import {
  apiAt,
  type Node,
  postSql,
  runQuarry,
  startQuarry,
  temporaryFolder,
} from "../../support/processes/processes.ts";
import { startReceiver, type TestReceiver } from "../../webhooks/support/receiver.ts";

const { first, last } = bundleCounts(MAINNET);
const { name: _, ...DEFINITION } = ethereum;

/**
 * Name of a second chain. It has the same blocks, but only from the second one on, so the two chains have
 * different rows.
 */
const OTHER = "other";

const BLOCKS = (chain: string) => `SELECT COUNT(*) AS n, MIN(block_number) AS first FROM ${chain}_blocks`;
/** Takes about a second, which is long enough for a service to start delivering webhooks. */
const LONG = `SELECT COUNT(*) AS n FROM ${OTHER}_logs WHERE REPEAT(CAST(transaction_hash AS VARCHAR), 3000) LIKE '%zz%'`;
const BLOCK_COUNT = last - first + 1;

describe("chains with ClickHouse servers of their own", () => {
  const folder = temporaryFolder();
  let receiver: TestReceiver;
  let node: Node;
  let server: ClickHouseServer;
  let behind: ClickHouseServer;
  let otherServer: FaultyServer;

  beforeAll(async () => {
    node = await startReplayNode([MAINNET]);
    server = await startClickHouse(join(folder.path, "server"));
    behind = await startClickHouse(join(folder.path, "other-server"));
    otherServer = new FaultyServer(behind.url);
    await otherServer.start();
    receiver = await startReceiver();
  });

  afterAll(async () => {
    await Promise.all([node?.stop(), server?.stop(), otherServer?.stop(), receiver?.close()]);
    await behind?.stop();
    folder.remove();
  });

  function fileWith(chains: object): string {
    const path = join(folder.path, `${Math.random()}.json`);
    writeFileSync(path, JSON.stringify({ chains }));
    return path;
  }

  const withDefinition = () =>
    fileWith({
      eth: { clickhouse: server.url },
      [OTHER]: { ...DEFINITION, clickhouse: otherServer.url },
    });
  const serversOnly = () =>
    fileWith({ eth: { clickhouse: server.url }, [OTHER]: { clickhouse: otherServer.url } });

  async function index(chain: string, from: number, to: number): Promise<void> {
    const range = ["--from", String(from), "--to", String(to)];
    const args = ["index", "--rpc", node.url, ...range, "--chain", chain, "--config", withDefinition()];
    const result = await runQuarry(args);
    expect(result, result.stderr).toMatchObject({ code: 0 });
  }

  async function serving(args: string[], ask: (url: string) => Promise<void>): Promise<string> {
    const data = join(folder.path, "data");
    const common = ["--port", "0", "--data", data, "--sql-cache-memory", "0"];
    const service = startQuarry(["serve", ...common, ...args]);
    const [, url = ""] = await service.printed(/serving on (http:\/\/[\w.:]+)/);
    try {
      await ask(url);
    } finally {
      expect((await service.stop()).code).toBe(0);
    }
    expect(existsSync(data)).toBe(false);
    return service.output();
  }

  it("are indexed on them, and the definition that is stored there has no password", async () => {
    await index("eth", first, last);
    await index(OTHER, first + 1, last - 1);
    const engine = await connectServerEngine({ url: behind.url });
    const chains = await engine.query<{ name: string; definition: string }>(sql`SELECT * FROM chains`);
    await engine.close();
    expect(chains.map(({ name }) => name)).toEqual([OTHER]);
    expect(chains[0]?.definition).not.toContain("clickhouse");
  });

  it.each(["1", "2"])("are served by one service with %s processes", async (workers) => {
    const output = await serving(["--config", serversOnly(), "--workers", workers], async (url) => {
      const api = apiAt(url);
      const { chains } = await api.get<{ chains: object[] }>("/v1/status");
      expect(chains).toMatchObject([
        { chain: "eth", indexed_block: last, ready: true },
        { chain: OTHER, indexed_block: last - 1, ready: true },
      ]);
      expect(await api.sql(BLOCKS("eth"))).toEqual([{ n: BLOCK_COUNT, first }]);
      expect(await api.sql(BLOCKS(OTHER))).toEqual([{ n: BLOCK_COUNT - 2, first: first + 1 }]);
      const tables = JSON.stringify(await api.sql("SHOW TABLES"));
      expect(tables).toContain("eth_blocks");
      expect(tables).toContain(`${OTHER}_blocks`);
      const found = await api.get<{ tokens: { chain: string }[] }>("/v1/search?query=WETH");
      expect(new Set(found.tokens.map(({ chain }) => chain))).toEqual(new Set(["eth", OTHER]));
    });
    expect(output).not.toMatch(/is not served/);
  });

  it("fail alone, and recover", async () => {
    await serving(["--config", serversOnly(), "--workers", "1"], async (url) => {
      const ask = (chain: string) => postSql(url, BLOCKS(chain));
      await otherServer.during("gone", async () => {
        expect((await ask("eth")).status).toBe(200);
        const failed = await ask(OTHER);
        expect([failed.status, failed.headers.get("x-error-code")]).toEqual([503, "unavailable"]);
        await expect
          .poll(async () => (await apiAt(url).get<{ chains: object[] }>("/v1/status")).chains)
          .toMatchObject([
            { chain: "eth", indexed_block: last, ready: true, message: null },
            {
              chain: OTHER,
              indexed_block: null,
              ready: false,
              message: expect.stringMatching(/does not respond/),
            },
          ]);
        const unready = await fetch(`${url}/ready`);
        expect(unready.status).toBe(503);
        expect(await unready.json()).toEqual({
          error: `Chain ${OTHER} cannot be read. The database does not respond. Try again in a moment.`,
        });
      });
      await expect.poll(async () => (await ask(OTHER)).status).toBe(200);
      await expect.poll(async () => (await fetch(`${url}/ready`)).status).toBe(200);
    });
  });

  it("do not slow down the others if their server is silent", async () => {
    const flags = ["--workers", "1", "--query-time", "2"];
    await serving(["--config", serversOnly(), ...flags], async (url) => {
      const ask = async (chain: string) => (await postSql(url, BLOCKS(chain))).status;
      await otherServer.during("silent", async () => {
        // The first requests still use the known newest commit, and wait for its rows.
        await expect.poll(() => ask(OTHER), { timeout: 30_000 }).toBe(503);
        const statuses = await Promise.all(
          Array.from({ length: 20 }, (_, i) => ask(i % 2 === 0 ? OTHER : "eth")),
        );
        expect(statuses).toEqual(Array(10).fill([503, 200]).flat());
        expect((await apiAt(url).get<{ chains: object[] }>("/v1/status")).chains).toMatchObject([
          { chain: "eth", ready: true },
          { chain: OTHER, ready: false, message: expect.stringMatching(/other cannot be read/) },
        ]);
      });
      await expect.poll(() => ask(OTHER), { timeout: 30_000 }).toBe(200);
    });
  });

  it("have their webhooks, which the same service delivers", async () => {
    const config = serversOnly();
    const rule = ["--rule", '{"type":"blocks"}', "--hook-hosts", "127.0.0.1", "--config", config];
    const added = await runQuarry(["hooks", "add", receiver.url, "--chain", OTHER, ...rule, "--json"]);
    expect(added.code, added.stderr).toBe(0);
    const { id } = JSON.parse(added.stdout);
    const listed = (chain: string) => runQuarry(["hooks", "list", "--chain", chain, "--config", config]);
    expect((await listed(OTHER)).stdout).toContain(id);
    expect((await listed("eth")).stdout).not.toContain(id);
    await serving(["--config", config, "--workers", "1", "--hook-hosts", "127.0.0.1"], async () => {
      await index(OTHER, first + 1, last);
      await expect.poll(() => JSON.stringify(receiver.requests), { timeout: 30_000 }).toContain(`${last}`);
    });
  });

  it("are queried without a service", async () => {
    const { stdout, stderr, code } = await runQuarry(["status", "--config", serversOnly(), "--port", "1"]);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^eth .*^other /ms);
  });

  it("have webhooks that a query does not deliver", async () => {
    const engine = await connectServerEngine({ url: behind.url });
    const leases = () =>
      engine.query(sql`SELECT count() AS n FROM writers FINAL WHERE chain LIKE 'webhooks of %'`);
    const before = await leases();
    const { code, stderr } = await runQuarry(["query", LONG, "--clickhouse", behind.url]);
    expect(code, stderr).toBe(0);
    expect(await leases()).toEqual(before);
    await engine.close();
  });

  it.each([
    ["--clickhouse", "http://127.0.0.1:9"],
    ["--data", "elsewhere"],
  ])("are not mistaken for %s", async (flag, value) => {
    const args = ["index", "--rpc", node.url, "--chain", OTHER, "--config", withDefinition(), flag, value];
    const { code, stderr } = await runQuarry(args);
    expect(stderr).toContain(
      `${flag} contradicts the configuration file, which gives chain ${OTHER} a ClickHouse server of its own`,
    );
    expect(code).toBe(2);
  });

  it("are reported if they are missing, or their server is", async () => {
    const missing = fileWith({ eth: { clickhouse: server.url }, base: { clickhouse: otherServer.url } });
    const output = await serving(["--config", missing, "--workers", "1"], async (url) => {
      expect(await apiAt(url).get("/v1/status")).toMatchObject({ chains: [{ chain: "eth" }] });
    });
    expect(output).toContain("chain base is not indexed on its own ClickHouse server, so it is not served");
    const gone = fileWith({
      eth: { clickhouse: server.url },
      base: { clickhouse: "http://me:secret@127.0.0.1:9" },
    });
    const { code, stderr } = await runQuarry(["serve", "--port", "0", "--config", gone]);
    expect(stderr).toMatch(
      /server of chain base in the configuration file cannot be used\. .*127\.0\.0\.1:9 does not respond/,
    );
    expect(stderr).not.toContain("secret");
    expect(stderr).toContain('Check "chains.base.clickhouse" in the configuration file (http');
    expect(stderr).not.toContain("--clickhouse");
    expect(code).toBe(1);
  });

  it.each([
    ["http://127.0.0.1:9", 'Check "chains.other.clickhouse" in the configuration file (http'],
    [
      "http://127.0.0.1:9/a,http://127.0.0.1:9/b",
      '"chains.other.clickhouse" in the configuration file: all URLs must be addresses of the same database',
    ],
  ])("have their own setting in messages about %s", async (clickhouse, message) => {
    const config = fileWith({ eth: { clickhouse: server.url }, [OTHER]: { ...DEFINITION, clickhouse } });
    const indexing = await runQuarry(["index", "--rpc", node.url, "--chain", OTHER, "--config", config]);
    const serve = await runQuarry(["serve", "--port", "0", "--config", config]);
    for (const { stderr } of [indexing, serve]) {
      expect(stderr).toContain(message);
      expect(stderr).not.toContain("--clickhouse");
    }
  });
});
