import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../../src/engine-sql/sql-text.ts";
import { TABLE_NAMES } from "../../../src/schema/tables.ts";
import { connectServerEngine } from "../../../src/storage/engines/server/server-engine.ts";
import { type ClickHouseServer, startClickHouse } from "../../support/engine/clickhouse-server.ts";
import { PlayedReplicas } from "../../support/engine/servers/played-replicas.ts";
import { checksums, tableChecksums } from "../../support/engine/table-checksums.ts";
import { bundleCounts, MAINNET } from "../../support/nodes/bundles.ts";
import { type ReplayNode, startReplayNode } from "../../support/nodes/replay/replay-node.ts";
import { apiAt, runQuarry, startQuarry, temporaryFolder } from "../../support/processes/processes.ts";

const { first, last } = bundleCounts(MAINNET);
const BLOCKS_BEFORE = 3;
const PAUSE = "indexing pauses";

describe("a replicated database", () => {
  const folder = temporaryFolder();
  const embedded = temporaryFolder();
  let node: ReplayNode;
  let behind: ClickHouseServer;
  let played: PlayedReplicas;
  const range = ["--from", String(first), "--chain", "eth"];

  beforeAll(async () => {
    node = await startReplayNode([MAINNET], { head: first + BLOCKS_BEFORE });
    behind = await startClickHouse(folder.path);
    played = new PlayedReplicas(behind.url);
    await played.start();
  });

  afterAll(async () => {
    await Promise.all([node?.stop(), played?.stop()]);
    await behind?.stop();
    folder.remove();
    embedded.remove();
  });

  it("answers while a replica is missing, writes again once it is back, and loses nothing", async () => {
    const running = startQuarry([
      ...["start", "--rpc", node.url, ...range, "--clickhouse", played.urls],
      ...["--port", "0", "--sql-cache-memory", "0", "--serving-memory", "0"],
    ]);
    const [, url = ""] = await running.printed(/serving on (http:\/\/[\w.:]+)/);
    const chain = async () => {
      const { chains } = await apiAt(url).get<{ chains: { indexed_block: number }[] }>("/v1/status");
      return chains[0];
    };
    await expect.poll(chain, { timeout: 60_000 }).toMatchObject({ ready: true });
    const count = async () => {
      const [row] = await apiAt(url).sql<{ n: number }>("SELECT COUNT(*) AS n FROM eth_blocks");
      return Number(row?.n);
    };
    for (const replica of played.replicas) {
      const before = await count();
      const pauses = running.output().split(PAUSE).length;
      await replica.stop();
      node.grow();
      await expect
        .poll(() => running.output().split(PAUSE).length, { timeout: 60_000 })
        .toBeGreaterThan(pauses);
      expect(await count()).toBe(before);
      await replica.start();
      await expect.poll(count, { timeout: 90_000 }).toBe(before + 1);
    }
    while (node.stats().head < last) node.grow();
    await expect.poll(chain, { timeout: 120_000 }).toMatchObject({ indexed_block: last, ready: true });
    expect((await running.stop()).code).toBe(0);
    const synced = TABLE_NAMES.flatMap((table) => [`one eth_${table}`, `other eth_${table}`]);
    expect(played.synced).toEqual(expect.arrayContaining(synced));
    const safe = {
      insert_quorum: "2",
      insert_deduplicate: "0",
      deduplicate_insert: "disable",
      deduplicate_insert_select: "disable",
    };
    expect(played.inserts.length).toBeGreaterThan(last - first);
    for (const settings of played.inserts) expect(settings).toMatchObject(safe);

    const indexed = ["index", "--rpc", node.url, ...range, "--to", String(last), "--data", embedded.path];
    expect((await runQuarry(indexed)).code).toBe(0);
    const engine = await connectServerEngine(behind);
    expect(await checksums(engine, "eth")).toEqual(await tableChecksums(embedded.path, "eth"));
    await engine.close();
  });

  it.each([
    [
      "fewer addresses than replicas",
      () => played.replicas[0].url,
      "has 2 replicas, of which --clickhouse does not list all",
    ],
    [
      "the same replica twice",
      () => `${played.replicas[0].url},${played.replicas[0].url}`,
      "are addresses of the same replica",
    ],
  ])("is not written with %s", async (_, urls, message) => {
    const { code, stderr } = await runQuarry(["index", "--rpc", node.url, ...range, "--clickhouse", urls()]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it("can be read with one address", async () => {
    const engine = await connectServerEngine({ url: played.replicas[1].url });
    expect(engine.isReplicated).toBe(true);
    expect(await engine.query(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
    await engine.close();
  });

  it("is required by --cluster", async () => {
    const { code, stderr } = await runQuarry([
      ...["query", "SHOW TABLES", "--clickhouse", behind.url, "--cluster", "quarry"],
    ]);
    expect(stderr).toContain("--cluster requires a replicated database, but default has the engine");
    expect(code).toBe(2);
  });
});
