import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClickHouseServer, startClickHouse } from "../../support/engine/clickhouse-server.ts";
import { FaultyServer, type ServerFault } from "../../support/engine/servers/faulty-server.ts";
import { bundleCounts, MAINNET } from "../../support/nodes/bundles.ts";
import { startReplayNode } from "../../support/nodes/replay/replay-node.ts";
import { type Node, postSql, temporaryFolder } from "../../support/processes/processes.ts";
import { seeded, shuffled } from "../../support/seeded.ts";
import { indexDuring } from "./support/index-during.ts";

const { first } = bundleCounts(MAINNET);
const BLOCKS_BEFORE = 4;
const SQL = "SELECT COUNT(*) AS n FROM eth_blocks";
const SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);

/** Number of rounds. Each round has all failures, in a different order. */
const ROUNDS = Number(process.env.QUARRY_FAULT_ROUNDS ?? 1);
/** Time limit for a round. */
const ROUND_MS = 300_000;

const ANSWERED = "200 null null";
const UNAVAILABLE = "503 unavailable 1";

/** The responses to a query during each failure: the status, the code and Retry-After. */
const OUTCOMES: Record<ServerFault | "restarted", readonly string[]> = {
  gone: [UNAVAILABLE],
  cut: [UNAVAILABLE],
  gateway: [UNAVAILABLE],
  silent: [UNAVAILABLE],
  slow: [ANSWERED],
  "read-only": [ANSWERED],
  full: [ANSWERED],
  restarted: [UNAVAILABLE, ANSWERED],
};
type Failure = keyof typeof OUTCOMES;
const FAILURES = Object.keys(OUTCOMES) as Failure[];

const random = seeded(SEED);

describe("quarry, when the database server fails", () => {
  const folder = temporaryFolder();
  let node: Node;
  let behind: ClickHouseServer;
  let server: FaultyServer;

  beforeAll(async () => {
    // Blocks arrive throughout, so that failures coincide with commits.
    node = await startReplayNode([MAINNET], { head: first + BLOCKS_BEFORE, advanceMs: 1_500 * ROUNDS });
    behind = await startClickHouse(folder.path);
    server = new FaultyServer(behind.url);
    await server.start();
  });

  afterAll(async () => {
    await server?.stop();
    await Promise.all([node?.stop(), behind?.stop()]);
    folder.remove();
  });

  async function outcomeAt(url: string): Promise<string> {
    const { status, headers } = await postSql(url, SQL);
    return `${status} ${headers.get("x-error-code")} ${headers.get("retry-after")}`;
  }

  /**
   * Runs work during a failure. For `restarted`, the server is killed at the beginning of the work, and then
   * starts again.
   */
  async function during(failure: Failure, work: () => Promise<void>): Promise<void> {
    if (failure !== "restarted") return server.during(failure, work);
    await Promise.all([behind.restart(), work()]);
  }

  async function failAll(url: string): Promise<void> {
    for (const failure of shuffled(FAILURES, random)) {
      await sleep(200 + 600 * random());
      await during(failure, async () => {
        const asked = [outcomeAt(url), outcomeAt(url)];
        await sleep(300 + 1_500 * random());
        asked.push(outcomeAt(url));
        for (const outcome of await Promise.all(asked)) {
          expect([failure, OUTCOMES[failure]]).toEqual([failure, expect.arrayContaining([outcome])]);
        }
      });
      await expect.poll(() => outcomeAt(url), { timeout: 60_000 }).toBe(ANSWERED);
    }
  }

  it(
    "responds with 503 in the meantime, continues by itself and loses nothing",
    async () => {
      await indexDuring({ node, addresses: server.url, server: behind }, async (url) => {
        for (let round = 0; round < ROUNDS; round++) await failAll(url);
      });
      // In each round, twelve of the requests that meet a fault are from this test.
      expect(server.faults).toBeGreaterThanOrEqual(ROUNDS * 12);
    },
    ROUND_MS * ROUNDS,
  );
});
