import { decodeEventLog, parseAbi } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ethereum } from "../../src/chains/ethereum.ts";
import { bundleCounts, MAINNET, readBundleJson, readGzLines } from "../support/nodes/bundles.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import {
  type Api,
  apiAt,
  type Node,
  type Running,
  runQuarry,
  startQuarry,
  temporaryFolder,
} from "../support/processes/processes.ts";

interface PoolRow {
  pool_address: string;
  token_0_address: string;
  token_1_address: string;
}

interface TradeRow {
  block_number: number;
  log_index: number;
  token_address: string;
  side: "buy" | "sell";
  amount_token: number | null;
}

const SWAPS = parseAbi([
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 protocolFeesToken0, uint128 protocolFeesToken1)",
]);

/** The protocols whose swaps this test decodes. The other families have their own tests. */
const DECODED = `(${ethereum.deployments
  .flatMap(({ family, protocol }) => (["uniswap-v2", "uniswap-v3"].includes(family) ? `'${protocol}'` : []))
  .join()})`;

/** USDC, USDT, DAI and WETH. In this test, they count as money on both sides of a swap. */
const MONEY = [
  "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
  "0xdac17f958d2ee523a2206206994597c13d831ec7",
  "0x6b175474e89094c44da98b954eedeac495271d0f",
  "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
];

interface RecordedLog {
  address: string;
  topics: [`0x${string}`, ...`0x${string}`[]];
  data: `0x${string}`;
  blockNumber: string;
  logIndex: string;
}

/** Computes trades from the recorded logs according to their definition, with another decoder. */
function expectedTrades(pools: Map<string, PoolRow>): TradeRow[] {
  const calls = readBundleJson<Record<string, Record<string, string>>>(MAINNET, "calls.json");
  const amountOf = (token: string, base: bigint) => {
    const decimals = calls[token]?.["0x313ce567"];
    return decimals === undefined ? null : Number(`${base < 0n ? -base : base}e-${BigInt(decimals)}`);
  };
  const logs = readGzLines(MAINNET, "receipts.ndjson.gz")
    .flatMap((line) => JSON.parse(line) as { logs: RecordedLog[] }[])
    .flatMap((receipt) => receipt.logs);
  return logs.flatMap((log) => {
    const pool = pools.get(log.address.toLowerCase());
    const amounts = pool === undefined ? null : poolAmounts(log);
    if (pool === undefined || amounts === null) return [];
    const legs = [
      { token: pool.token_0_address, base: amounts[0] },
      { token: pool.token_1_address, base: amounts[1] },
    ];
    if (legs.some(({ base }) => base === 0n)) return [];
    const money = legs.filter(({ token }) => MONEY.includes(token));
    const traded = money.length === 1 ? legs.filter((leg) => !money.includes(leg)) : legs;
    return traded.map(({ token, base }) => ({
      block_number: Number(log.blockNumber),
      log_index: Number(log.logIndex),
      token_address: token,
      side: base < 0n ? ("buy" as const) : ("sell" as const),
      amount_token: amountOf(token, base),
    }));
  });
}

const USDC_WETH_PAIR = "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc";
const SYNC = parseAbi(["event Sync(uint112 reserve0, uint112 reserve1)"]);

/** Reads the reserves in each contract's last Sync, with another decoder. */
function lastReserves(): Map<string, [bigint, bigint]> {
  const found = new Map<string, [bigint, bigint]>();
  const logs = readGzLines(MAINNET, "receipts.ndjson.gz")
    .flatMap((line) => JSON.parse(line) as { logs: RecordedLog[] }[])
    .flatMap((receipt) => receipt.logs);
  for (const { address, topics, data } of logs) {
    try {
      const { args } = decodeEventLog({ abi: SYNC, topics, data, strict: true });
      found.set(address.toLowerCase(), [args.reserve0, args.reserve1]);
    } catch {
      // This log is a different event.
    }
  }
  return found;
}

/** Returns the net amounts that entered the pool, or null if the log is not a swap. */
function poolAmounts({ topics, data }: RecordedLog): [bigint, bigint] | null {
  for (const abi of SWAPS) {
    try {
      const { args } = decodeEventLog({ abi: [abi], topics, data, strict: true });
      return "amount0" in args
        ? [args.amount0, args.amount1]
        : [args.amount0In - args.amount0Out, args.amount1In - args.amount1Out];
    } catch {
      // The log is not this kind of swap, so the other signature is tried.
    }
  }
  return null;
}

describe("whole mainnet blocks, from a node to answers", () => {
  const folder = temporaryFolder();
  let node: Node;
  let server: Running;
  let api: Api;
  const counts = bundleCounts(MAINNET);

  beforeAll(async () => {
    node = await startReplayNode([MAINNET]);
    const indexed = await runQuarry([
      "index",
      "--chain",
      "eth",
      "--rpc",
      node.url,
      "--from",
      String(counts.first),
      "--to",
      String(counts.last),
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
    expect(await count("eth_erc20")).toBe(counts.events["erc20 Transfer"]);
    expect(await count("eth_erc721")).toBe(counts.events["erc721 Transfer"]);
  });

  it("keeps failed transactions, which have no logs", async () => {
    expect(await count("eth_transactions WHERE status = 0")).toBe(counts.failed);
    const failed = await api.sql<{ transaction_hash: string }>(
      "SELECT transaction_hash FROM eth_transactions WHERE status = 0 LIMIT 200",
    );
    const list = failed.map((row) => `'${row.transaction_hash}'`).join(",");
    expect(await count(`eth_logs WHERE transaction_hash IN (${list})`)).toBe(0);
  });

  it("reports the indexed block with every response", async () => {
    const response = await fetch(`${api.url}/v1/status`);
    expect(await response.json()).toMatchObject({
      chains: [{ chain: "eth", chain_id: 1, indexed_block: counts.last, first_block: counts.first }],
    });
    const priced = await fetch(
      `${api.url}/v1/price-api/batch-latest-token-prices?token_address=0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2`,
    );
    expect(priced.headers.get("x-indexed-block")).toBe(String(counts.last));
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

  it("turns every swap of a genuine pool into trades with the amounts of an independent decoder", async () => {
    const pools = await api.sql<PoolRow>(
      `SELECT pool_address, token_0_address, token_1_address FROM eth_pool_metadata WHERE protocol IN ${DECODED} LIMIT 10000`,
    );
    const expected = expectedTrades(new Map(pools.map((pool) => [pool.pool_address, pool])));
    // Includes pools whose calls revert, because their transfers prove them.
    expect(pools).toHaveLength(counts.pools);
    const trades = await api.sql<TradeRow>(
      `SELECT block_number, log_index, token_address, side, amount_token FROM eth_dex_trades
        WHERE protocol_name IN ${DECODED}
        ORDER BY record_index LIMIT 10000`,
    );
    const key = (trade: TradeRow) => `${trade.block_number}:${trade.log_index}:${trade.token_address}`;
    const sorted = (rows: TradeRow[]) => rows.sort((a, b) => (key(a) < key(b) ? -1 : 1));
    expect(expected.length).toBeGreaterThan(counts.events["v2 Swap"]! + counts.events["v3 Swap"]! - 22);
    expect(sorted(trades)).toEqual(sorted(expected));
  });

  it("returns for each pair the reserves of its last Sync", async () => {
    const pools = await api.sql<PoolRow>(
      "SELECT pool_address, token_0_address, token_1_address FROM eth_pool_metadata WHERE protocol = 'uniswap_v2' LIMIT 10000",
    );
    const calls = readBundleJson<Record<string, Record<string, string>>>(MAINNET, "calls.json");
    const unitsOf = (base: bigint, token: string) => {
      const decimals = calls[token]?.["0x313ce567"];
      return decimals === undefined ? null : Number(`${base}e-${BigInt(decimals)}`);
    };
    const reserves = lastReserves();
    const response = await fetch(`${api.url}/v1/market-api/batch-latest-pool-tvl`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ pool_address: pools.map(({ pool_address }) => pool_address) }),
    });
    const { data } = (await response.json()) as { data: Record<string, number | string | null>[] };
    expect(pools.length).toBeGreaterThan(counts.pools / 4);
    for (const [i, pool] of pools.entries()) {
      const expected = (reserves.get(pool.pool_address) ?? [0n, 0n]).map((base, n) =>
        unitsOf(base, n === 0 ? pool.token_0_address : pool.token_1_address),
      );
      expect([data[i]?.token_0_balance, data[i]?.token_1_balance], pool.pool_address).toEqual(expected);
    }
    const usdcWeth = data.find(({ pool_address }) => pool_address === USDC_WETH_PAIR);
    expect(usdcWeth?.liquidity_usd).toBe(
      Number(usdcWeth?.token_0_balance) * Number(usdcWeth?.token_0_price_usd),
    );
  });

  it("resumes without work when everything is indexed", async () => {
    await server.stop();
    const again = await runQuarry([
      "index",
      "--chain",
      "eth",
      "--rpc",
      node.url,
      "--to",
      String(counts.last),
      "--data",
      folder.path,
    ]);
    expect(again.code, again.stderr).toBe(0);
  });
});
