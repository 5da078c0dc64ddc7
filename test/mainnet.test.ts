import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundlesArePresent, MAINNET, readBundleJson } from "./support/bundles.ts";
import {
  type Api,
  apiAt,
  type Node,
  type Running,
  runQuarry,
  startQuarry,
  startReplayNode,
  temporaryFolder,
} from "./support/processes.ts";

interface Counts {
  blocks: number;
  transactions: number;
  failed: number;
  logs: number;
  erc20_transfer: number;
  erc721_transfer: number;
}

describe.skipIf(!bundlesArePresent)("twelve mainnet blocks, from a node to answers", () => {
  const folder = temporaryFolder();
  let node: Node;
  let server: Running;
  let api: Api;
  let counts: Counts;

  beforeAll(async () => {
    counts = readBundleJson<Counts>(MAINNET, "counts.json");
    node = await startReplayNode([MAINNET]);
    const indexed = await runQuarry([
      "index",
      "--chain",
      "eth",
      "--rpc",
      node.url,
      "--from",
      "17686110",
      "--to",
      "17686121",
      "--data",
      folder.path,
    ]);
    expect(indexed.code, indexed.stderr).toBe(0);
    server = startQuarry(["serve", "--data", folder.path, "--port", "0"]);
    const [, url] = await server.printed(/"url":"(http:[^"]+)"/);
    api = apiAt(url ?? "");
  });

  afterAll(async () => {
    await server?.stop();
    await node?.stop();
    folder.remove();
  });

  const count = async (from: string) =>
    (await api.sql<{ n: number }>(`SELECT COUNT(*) AS n FROM ${from}`))[0]?.n;

  it("holds exactly the rows that the chain has", async () => {
    expect(await count("eth_blocks")).toBe(counts.blocks);
    expect(await count("eth_transactions")).toBe(counts.transactions);
    expect(await count("eth_logs")).toBe(counts.logs);
    expect(await count("eth_erc20")).toBe(counts.erc20_transfer);
    expect(await count("eth_erc721")).toBe(counts.erc721_transfer);
  });

  it("keeps failed transactions, which have no logs", async () => {
    expect(await count("eth_transactions WHERE status = 0")).toBe(counts.failed);
    const failed = await api.sql<{ transaction_hash: string }>(
      "SELECT transaction_hash FROM eth_transactions WHERE status = 0 LIMIT 200",
    );
    const list = failed.map((row) => `'${row.transaction_hash}'`).join(",");
    expect(await count(`eth_logs WHERE transaction_hash IN (${list})`)).toBe(0);
  });

  it("says how far it is, with every answer", async () => {
    const response = await fetch(`${api.url}/v1/status`);
    expect(await response.json()).toMatchObject({
      chains: [{ chain: "eth", chain_id: 1, indexed_block: 17686121, first_block: 17686110 }],
    });
    const priced = await fetch(
      `${api.url}/v1/price-api/batch-latest-token-prices?token_address=0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2`,
    );
    expect(priced.headers.get("x-indexed-block")).toBe("17686121");
    expect(priced.headers.get("x-indexed-timestamp")).toMatch(/^\d+$/);
  });

  it("prices the wrapped native coin as the market of that day did", async () => {
    const prices = await api.get<{ price_usd: number; token_symbol: string }[]>(
      "/v1/price-api/batch-latest-token-prices?token_address=0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
    );
    expect(prices).toHaveLength(1);
    expect(prices[0]?.token_symbol).toBe("WETH");
    // 2023-07-13, about 19:00 UTC: ETH rose from 1,890 to 2,000 US dollars.
    expect(prices[0]?.price_usd).toBeGreaterThan(1_850);
    expect(prices[0]?.price_usd).toBeLessThan(2_050);
  });

  it("gives every trade a genuine pool and both legs", async () => {
    const trades = await count("eth_dex_trades");
    expect(trades).toBeGreaterThan(550);
    expect(await count("eth_dex_trades WHERE side = 'buy'")).toBeGreaterThan(100);
    expect(await count("eth_dex_trades WHERE token_address = quote_address")).toBe(0);
  });

  it("resumes without work when all is there", async () => {
    await server.stop();
    const again = await runQuarry([
      "index",
      "--chain",
      "eth",
      "--rpc",
      node.url,
      "--to",
      "17686121",
      "--data",
      folder.path,
    ]);
    expect(again.code, again.stderr).toBe(0);
  });
});
