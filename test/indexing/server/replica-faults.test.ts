import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TABLE_NAMES } from "../../../src/schema/tables.ts";
import { type ClickHouseServer, startClickHouse } from "../../support/engine/clickhouse-server.ts";
import { FaultyServer, type ServerFault } from "../../support/engine/servers/faulty-server.ts";
import { PlayedReplicas } from "../../support/engine/servers/played-replicas.ts";
import { bundleCounts, MAINNET } from "../../support/nodes/bundles.ts";
import { startReplayNode } from "../../support/nodes/replay/replay-node.ts";
import { type Node, postSql, temporaryFolder } from "../../support/processes/processes.ts";
import { seeded, shuffled } from "../../support/seeded.ts";
import { indexDuring } from "./support/index-during.ts";

const { first, last } = bundleCounts(MAINNET);
const BLOCKS_BEFORE = 2;
const SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);
/** Number of rounds. Each round has all failures, in a different order. */
const ROUNDS = Number(process.env.QUARRY_FAULT_ROUNDS ?? 1);
/** Time limit for a round. */
const ROUND_MS = 300_000;

/**
 * Ways in which a replica fails. The other replica notices `stopped` (the replica is down) and `isolated` (it
 * reaches neither the other replica nor the Keeper). All other failures are between Quarry and the replica.
 */
const FAILURES: readonly (ServerFault | "stopped" | "isolated")[] = [
  ...(["stopped", "isolated", "gone", "cut", "silent"] as const),
  ...(["slow", "read-only", "full", "gateway"] as const),
];
type Failure = (typeof FAILURES)[number];

const random = seeded(SEED);

/**
 * Settings of each insert. It succeeds only if both replicas have the rows, and no rows are dropped as
 * duplicates.
 */
const SAFE_SETTINGS = {
  insert_quorum: "2",
  insert_deduplicate: "0",
  deduplicate_insert: "disable",
  deduplicate_insert_select: "disable",
};

describe("a replicated database with a failing replica", () => {
  const folder = temporaryFolder();
  let node: Node;
  let behind: ClickHouseServer;
  let played: PlayedReplicas;
  let paths: FaultyServer[];

  beforeAll(async () => {
    // Blocks arrive throughout, so that failures coincide with commits.
    node = await startReplayNode([MAINNET], { head: first + BLOCKS_BEFORE, advanceMs: 3_000 * ROUNDS });
    behind = await startClickHouse(folder.path);
    played = new PlayedReplicas(behind.url);
    await played.start();
    paths = played.replicas.map(({ url }) => new FaultyServer(url));
    for (const path of paths) await path.start();
  });

  afterAll(async () => {
    await Promise.all([node?.stop(), ...(paths ?? []).map((path) => path.stop())]);
    await played?.stop();
    await behind?.stop();
    folder.remove();
  });

  async function during(failure: Failure, index: 0 | 1, work: () => Promise<void>): Promise<void> {
    const replica = played.replicas[index];
    if (failure === "stopped") {
      await replica.stop();
      await work().finally(() => replica.start());
    } else if (failure === "isolated") {
      replica.isIsolated = true;
      await work().finally(() => {
        replica.isIsolated = false;
      });
    } else await paths[index]?.during(failure, work);
  }

  async function failAll(status: () => Promise<number>): Promise<void> {
    for (const failure of shuffled(FAILURES, random)) {
      await sleep(200 + 600 * random());
      await during(failure, random() < 0.5 ? 0 : 1, async () => {
        if (failure === "silent") await expect.poll(status, { timeout: 60_000 }).toBe(200);
        for (let i = 0; i < 4; i++) {
          expect([failure, await status()]).toEqual([failure, 200]);
          await sleep(200 + 600 * random());
        }
      });
    }
  }

  it(
    "answers throughout, continues by itself and loses nothing",
    async () => {
      const addresses = paths.map(({ url }) => url).join(",");
      const log = await indexDuring({ node, addresses, server: behind }, async (url) => {
        const status = async () => (await postSql(url, "SELECT COUNT(*) AS n FROM eth_blocks")).status;
        for (let round = 0; round < ROUNDS; round++) await failAll(status);
      });
      expect(log).toContain("indexing pauses");
      const synced = TABLE_NAMES.flatMap((table) => [`one eth_${table}`, `other eth_${table}`]);
      expect(played.synced).toEqual(expect.arrayContaining(synced));
      expect(played.inserts.length).toBeGreaterThan(last - first);
      for (const settings of played.inserts) expect(settings).toMatchObject(SAFE_SETTINGS);
    },
    ROUND_MS * ROUNDS,
  );
});
