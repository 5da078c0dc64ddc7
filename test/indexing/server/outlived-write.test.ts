import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectServerEngine } from "../../../src/storage/engines/server/server-engine.ts";
import { type ClickHouseServer, startClickHouse } from "../../support/engine/clickhouse-server.ts";
import { StallingServer } from "../../support/engine/servers/stalling-server.ts";
import { type Checksums, checksums, tableChecksums } from "../../support/engine/table-checksums.ts";
import { bundleCounts, MAINNET } from "../../support/nodes/bundles.ts";
import { startReplayNode } from "../../support/nodes/replay/replay-node.ts";
import { type Node, runQuarry, startQuarry, temporaryFolder } from "../../support/processes/processes.ts";

const { first, last } = bundleCounts(MAINNET);
const LOGS = /^INSERT INTO `?eth_logs`? /;
/** Test timeout. A killed process keeps the right to write for half a minute. */
const WAIT_MS = 180_000;

describe("a write that outlives its process on a ClickHouse server", () => {
  const folder = temporaryFolder();
  let node: Node;
  let expected: Checksums;

  beforeAll(async () => {
    node = await startReplayNode([MAINNET]);
    const embedded = temporaryFolder();
    await succeeds("--data", embedded.path);
    expected = await tableChecksums(embedded.path, "eth");
    embedded.remove();
  }, WAIT_MS);

  afterAll(async () => {
    await node?.stop();
    folder.remove();
  });

  const index = (...args: string[]) => ["index", "--rpc", node.url, "--from", String(first), ...args];

  async function succeeds(...args: string[]): Promise<void> {
    const { code, stderr } = await runQuarry(index("--to", String(last), ...args));
    expect(code, stderr).toBe(0);
  }

  async function tablesOf(server: ClickHouseServer): Promise<Checksums> {
    const engine = await connectServerEngine(server);
    try {
      return await checksums(engine, "eth");
    } finally {
      await engine.close();
    }
  }

  it.each(["SIGTERM", "SIGKILL"] as const)(
    "is ended before its successor writes: %s",
    async (signal) => {
      const behind = await startClickHouse(`${folder.path}/${signal}`);
      const server = new StallingServer(behind.url);
      await server.start();
      try {
        const stalled = server.stalled(LOGS);
        const running = startQuarry(index("--clickhouse", server.url));
        await stalled;
        await running.printed(/indexing pauses/);
        const stopping = running.stop(signal);
        // Set only now, so that the process cannot end the write before it is asked to stop.
        server.isKillable = true;
        await stopping;
        await succeeds("--clickhouse", server.url);
        expect(await tablesOf(behind)).toEqual(expected);
        await server.resume();
        expect(await tablesOf(behind)).toEqual(expected);
      } finally {
        await server.stop();
        await behind.stop();
      }
    },
    WAIT_MS,
  );
});
