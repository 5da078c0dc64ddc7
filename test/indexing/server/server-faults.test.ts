import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectServerEngine } from "../../../src/storage/engines/server/server-engine.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { type ClickHouseServer, startClickHouse } from "../../support/engine/clickhouse-server.ts";
import { FaultyServer, SERVER_FAULTS } from "../../support/engine/servers/faulty-server.ts";
import { checksums, tableChecksums } from "../../support/engine/table-checksums.ts";
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
import { seeded } from "../../support/seeded.ts";

const { first, last } = bundleCounts(MAINNET);
const BLOCKS_BEFORE = 4;
const SQL = "SELECT COUNT(*) AS n FROM eth_blocks";
const SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);

/** A response to SQL: its status, and its headers for programs. */
interface Outcome {
  status: number;
  code: string | null;
  retryAfter: string | null;
}

describe("quarry, when the database server fails", () => {
  const folder = temporaryFolder();
  const embedded = temporaryFolder();
  let node: Node;
  let behind: ClickHouseServer;
  let server: FaultyServer;
  let engine: Engine;

  beforeAll(async () => {
    // A block every second and a half, so that faults meet commits.
    node = await startReplayNode([MAINNET], { head: first + BLOCKS_BEFORE, advanceMs: 1_500 });
    behind = await startClickHouse(folder.path);
    server = new FaultyServer(behind.url);
    await server.start();
    engine = await connectServerEngine(behind);
  });

  afterAll(async () => {
    await engine?.close();
    await server?.stop();
    await Promise.all([node?.stop(), behind?.stop()]);
    folder.remove();
    embedded.remove();
  });

  async function outcomeAt(url: string): Promise<Outcome> {
    const { status, headers } = await postSql(url, SQL);
    return { status, code: headers.get("x-error-code"), retryAfter: headers.get("retry-after") };
  }

  it("responds with 503 in the meantime, continues by itself and loses nothing", async () => {
    const random = seeded(SEED);
    const range = ["--from", String(first), "--chain", "eth"];
    const args = ["start", "--rpc", node.url, ...range, "--clickhouse", server.url, "--port", "0"];
    const running = startQuarry([...args, "--query-time", "5", "--sql-cache-memory", "0"]);
    const [, url = ""] = await running.printed(/serving on (http:\/\/[\w.:]+)/);
    const api = apiAt(url);
    const chain = async () => (await api.get<{ chains: object[] }>("/v1/status")).chains[0];
    await expect
      .poll(chain, { timeout: 60_000 })
      .toMatchObject({ indexed_block: expect.any(Number), ready: true });
    const outcomes = new Map<string, number>();
    for (let round = 0; round < 10; round++) {
      const fault = SERVER_FAULTS[round % SERVER_FAULTS.length] ?? "gone";
      await sleep(200 + 600 * random());
      await server.during(fault, async () => {
        const asked = fault === "silent" ? [] : [outcomeAt(url), outcomeAt(url)];
        await sleep(300 + 1_500 * random());
        for (const { status, code, retryAfter } of await Promise.all(asked)) {
          const outcome = `${fault}: ${status} ${code} ${retryAfter}`;
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      });
    }
    // Of the requests that two kinds of faults meet, eight are those of this test.
    expect(server.faults).toBeGreaterThanOrEqual(8);
    const faulty = ["gone", "cut", "gateway"].map((fault): [string, number] => [
      `${fault}: 503 unavailable 1`,
      4,
    ]);
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries([...faulty, ["read-only: 200 null null", 4]]),
    );
    await expect.poll(chain, { timeout: 120_000 }).toMatchObject({ indexed_block: last, ready: true });
    const { code, stderr } = await running.stop();
    expect(code, stderr).toBe(0);
    expect(
      (await runQuarry(["index", "--rpc", node.url, ...range, "--to", String(last), "--data", embedded.path]))
        .code,
    ).toBe(0);
    expect(await checksums(engine, "eth")).toEqual(await tableChecksums(embedded.path, "eth"));
  });
});
