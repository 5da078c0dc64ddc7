import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectServerEngine } from "../../../src/storage/engines/server/server-engine.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { type ClickHouseServer, startClickHouse } from "../../support/engine/clickhouse-server.ts";
import { checksums, tableChecksums } from "../../support/engine/table-checksums.ts";
import { bundleCounts, MAINNET } from "../../support/nodes/bundles.ts";
import { startReplayNode } from "../../support/nodes/replay/replay-node.ts";
import {
  apiAt,
  type Node,
  runQuarry,
  startQuarry,
  temporaryFolder,
} from "../../support/processes/processes.ts";

const { first, last } = bundleCounts(MAINNET);
const RANGE = ["--from", String(first), "--to", String(last)];
const QUESTIONS = [
  "/v1/price/historical/ohlc?token_address=0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2&pool_address=all&until_timestamp=1689280300",
  "/v1/price-api/batch-latest-token-prices?token_address=0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
];
/** Contains no sums, because the last digits of a sum of doubles depend on how batches split the rows. */
const SQL =
  "SELECT token_symbol, COUNT(*) AS trades, MAX(amount_usd) AS usd FROM eth_dex_trades GROUP BY token_symbol ORDER BY trades DESC, token_symbol LIMIT 20";

const TRADERS =
  "SELECT trader_address AS trader, COUNT(*) AS trades FROM eth_dex_trades GROUP BY trader_address ORDER BY trades DESC, trader_address LIMIT 20";

describe("quarry over a ClickHouse server", () => {
  const folder = temporaryFolder();
  const embedded = temporaryFolder();
  let node: Node;
  let server: ClickHouseServer;
  let engine: Engine;

  beforeAll(async () => {
    node = await startReplayNode([MAINNET]);
    server = await startClickHouse(folder.path);
    const { code, stderr } = await runQuarry(indexArgs(["--data", embedded.path]));
    expect(code, stderr).toBe(0);
    engine = await connectServerEngine(server);
  });

  afterAll(async () => {
    await engine?.close();
    await Promise.all([node?.stop(), server?.stop()]);
    folder.remove();
    embedded.remove();
  });

  const indexArgs = (place: string[], more: string[] = []) => [
    "index",
    ...["--rpc", node.url, ...RANGE, ...place, ...more],
  ];

  async function answers(place: string[]): Promise<unknown[]> {
    const running = startQuarry(["serve", ...place, "--port", "0"]);
    const [, url = ""] = await running.printed(/serving on (http:\/\/[\w.:]+)/);
    const api = apiAt(url);
    const found = await Promise.all([api.sql(SQL), ...QUESTIONS.map((question) => api.get(question))]);
    const traders = await api.sql<{ trader: string }>(TRADERS);
    const wallets = traders.map(({ trader }) => trader).join();
    found.push(await api.get(`/v1/wallet-api/batch-latest-total-performance?wallet_address=${wallets}`));
    const { code, stderr } = await running.stop();
    expect(code, stderr).toBe(0);
    return found;
  }

  it("indexes into the same tables as in-process, even when killed on the way", async () => {
    const args = indexArgs(["--clickhouse", server.url], ["--batch-blocks", "1"]);
    const killed = startQuarry(args);
    await killed.printed(/endpoints are ready/);
    await sleep(400);
    await killed.stop("SIGKILL");
    const { code, stderr } = await runQuarry(args);
    expect(code, stderr).toBe(0);
    expect(await checksums(engine, "eth")).toEqual(await tableChecksums(embedded.path, "eth"));
  });

  it("returns the same responses", async () => {
    const found = await answers(["--clickhouse", server.url]);
    expect(found).toEqual(await answers(["--data", embedded.path]));
    expect(Object.keys((found.at(-1) as { data: object }).data)).toHaveLength(20);
  });

  it("reports a server that does not respond", async () => {
    const { code, stderr } = await runQuarry(["serve", "--clickhouse", "http://127.0.0.1:1", "--port", "0"]);
    expect(stderr).toMatch(/^quarry: The ClickHouse server at http:\/\/127\.0\.0\.1:1\b.* does not respond/);
    expect(code).toBe(1);
  });
});
