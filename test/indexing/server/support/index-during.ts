import { expect } from "vitest";
import { connectServerEngine } from "../../../../src/storage/engines/server/server-engine.ts";
import type { ClickHouseServer } from "../../../support/engine/clickhouse-server.ts";
import { checksums, tableChecksums } from "../../../support/engine/table-checksums.ts";
import { bundleCounts, MAINNET } from "../../../support/nodes/bundles.ts";
import {
  apiAt,
  type Node,
  runQuarry,
  startQuarry,
  temporaryFolder,
} from "../../../support/processes/processes.ts";

interface FaultyPlace {
  /** Serves the recorded blocks. */
  node: Node;
  /** The value of --clickhouse. */
  addresses: string;
  /** The server that has the tables. */
  server: ClickHouseServer;
}

const { first, last } = bundleCounts(MAINNET);
const UNCACHED = ["--sql-cache-memory", "0", "--serving-memory", "0"];

/**
 * Indexes and serves the recorded blocks while the work makes the addresses of the server fail. Afterwards,
 * all blocks must be indexed without any intervention, and the tables must equal the tables of an index
 * without failures.
 *
 * @param work is given the URL of the service
 * @returns what the service logged
 */
export async function indexDuring(
  { node, addresses, server }: FaultyPlace,
  work: (url: string) => Promise<void>,
): Promise<string> {
  const range = ["--rpc", node.url, "--from", String(first), "--chain", "eth"];
  const running = startQuarry(["start", ...range, "--clickhouse", addresses, "--port", "0", ...UNCACHED]);
  const [, url = ""] = await running.printed(/serving on (http:\/\/[\w.:]+)/);
  const chain = async () => (await apiAt(url).get<{ chains: object[] }>("/v1/status")).chains[0];
  await expect
    .poll(chain, { timeout: 60_000 })
    .toMatchObject({ indexed_block: expect.any(Number), ready: true });
  await work(url);
  await expect.poll(chain, { timeout: 180_000 }).toMatchObject({ indexed_block: last, ready: true });
  const { code, stderr } = await running.stop();
  expect(code, stderr).toBe(0);
  const embedded = temporaryFolder();
  const indexed = await runQuarry(["index", ...range, "--to", String(last), "--data", embedded.path]);
  expect(indexed.code, indexed.stderr).toBe(0);
  const engine = await connectServerEngine(server);
  expect(await checksums(engine, "eth")).toEqual(await tableChecksums(embedded.path, "eth"));
  await engine.close();
  embedded.remove();
  return stderr;
}
