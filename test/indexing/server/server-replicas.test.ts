import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../../src/engine-sql/sql-text.ts";
import { connectServerEngine } from "../../../src/storage/engines/server/server-engine.ts";
import { type ClickHouseServer, startClickHouse } from "../../support/engine/clickhouse-server.ts";
import { PlayedReplicas } from "../../support/engine/servers/played-replicas.ts";
import { bundleCounts, MAINNET } from "../../support/nodes/bundles.ts";
import { startReplayNode } from "../../support/nodes/replay/replay-node.ts";
import { type Node, runQuarry, temporaryFolder } from "../../support/processes/processes.ts";

const { first } = bundleCounts(MAINNET);

describe("a replicated database", () => {
  const folder = temporaryFolder();
  let node: Node;
  let behind: ClickHouseServer;
  let played: PlayedReplicas;
  const range = ["--from", String(first), "--chain", "eth"];

  beforeAll(async () => {
    node = await startReplayNode([MAINNET]);
    behind = await startClickHouse(folder.path);
    played = new PlayedReplicas(behind.url);
    await played.start();
  });

  afterAll(async () => {
    await Promise.all([node?.stop(), played?.stop()]);
    await behind?.stop();
    folder.remove();
  });

  it.each([
    [
      "fewer addresses than replicas",
      () => played.replicas[0].url,
      "has 2 replicas, but --clickhouse does not list all of them",
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
