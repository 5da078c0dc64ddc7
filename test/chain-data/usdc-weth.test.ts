import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleCounts, DATA_SET, readGzLines, USDC_WETH } from "../support/nodes/bundles.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import {
  type Api,
  apiAt,
  type Running,
  runQuarry,
  startQuarry,
  temporaryFolder,
} from "../support/processes/processes.ts";

const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const POOL = "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640";
const DAY = 1_704_412_800;
/**
 * Tolerance in basis points. The excerpt has only the first two hours, which are farther off than the rest of
 * the morning.
 */
const CLOSE_BP = DATA_SET === "full" ? 20 : 22;
/** The end of the recorded morning, in Unix seconds. */
const END = DAY + bundleCounts(USDC_WETH).minutes * 60;

interface Minute {
  open: number;
  high: number;
  low: number;
  close: number;
}

interface Candle {
  timestamp_open: number;
  price_open: number;
  price_high: number;
  price_low: number;
  price_close: number;
}

interface TvlPoint {
  as_of_timestamp: number;
  token_1_price_usd: number | null;
}

/** Reads the exchange's minute candles of the morning, by Unix time. */
function exchangeMinutes(): Map<number, Minute> {
  const [, ...lines] = readGzLines(USDC_WETH, "oracle-ethusdt-1m.csv.gz");
  return new Map(
    lines.map((line) => {
      const [time = "", open, high, low, close] = line.split(",");
      const numbers = { open: Number(open), high: Number(high), low: Number(low), close: Number(close) };
      return [Date.parse(`${time.replace(" ", "T")}Z`) / 1000, numbers];
    }),
  );
}

describe("the morning of 2024-01-05 in three pools", () => {
  const counts = bundleCounts(USDC_WETH);
  const folder = temporaryFolder();
  let server: Running;
  let api: Api;

  beforeAll(async () => {
    const node = await startReplayNode([USDC_WETH]);
    const range = ["--from", String(counts.first), "--to", String(counts.last)];
    const run = await runQuarry(["index", "--rpc", node.url, ...range, "--data", folder.path, "--no-verify"]);
    await node.stop();
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toMatch(/not proven|without proof|not verified|no-verify/i);
    server = startQuarry(["serve", "--data", folder.path, "--port", "0"]);
    const [, url] = await server.printed(/"url":"(http:[^"]+)"/);
    api = apiAt(url ?? "");
  });

  afterAll(async () => {
    await server?.stop();
    folder.remove();
  });

  it("turns every swap of the oracle into a trade with its exact amounts", async () => {
    const [, ...lines] = readGzLines(USDC_WETH, "oracle-events-0x88e6.csv.gz");
    const expected = lines
      .map((line) => line.split(","))
      .filter((cells) => cells[2] === "SWAP")
      .map((cells) => `${cells[0]}:${cells[5]}:${Number(`${cells[9]?.replace("-", "")}e-18`)}`);
    const rows = await api.sql<{ block_number: number; log_index: number; amount_token: number }>(
      `SELECT block_number, log_index, amount_token FROM eth_dex_trades
       WHERE pool_address = '${POOL}' AND token_address = '${WETH}' ORDER BY record_index LIMIT 10000`,
    );
    expect(rows.map((row) => `${row.block_number}:${row.log_index}:${row.amount_token}`)).toEqual(expected);
  });

  it("holds every swap of the three pools", async () => {
    const [row] = await api.sql<{ n: number }>(
      "SELECT COUNT(DISTINCT record_index) AS n FROM eth_dex_trades",
    );
    const [weth] = await api.sql<{ n: number }>(
      `SELECT COUNT(*) AS n FROM eth_dex_trades WHERE token_address = '${WETH}'`,
    );
    const [squeeth] = await api.sql<{ n: number }>(
      "SELECT COUNT(*) AS n FROM eth_dex_trades WHERE pool_address = '0x82c427adfdf2d245ec51d8046b41c4ee87f0d29c'",
    );
    expect((weth?.n ?? 0) + (squeeth?.n ?? 0)).toBe(counts.events["v3 Swap"]);
    // A swap between WETH and USDC makes two trades, one for each token. A swap of the option token for WETH
    // makes one.
    expect(row?.n).toBe(2 * (weth?.n ?? 0) + (squeeth?.n ?? 0));
  });

  it("gives a daily candle within the exchange's range", async () => {
    const minutes = [...exchangeMinutes()].filter(([time]) => time >= DAY && time < END);
    const high = Math.max(...minutes.map(([, minute]) => minute.high));
    const low = Math.min(...minutes.map(([, minute]) => minute.low));
    const { data } = await api.get<{ data: Candle[] }>(
      `/v1/price/historical/ohlc?token_address=${WETH}&pool_address=all&until_timestamp=${END - 1}&max_size=1`,
    );
    const [candle] = data;
    expect(candle?.timestamp_open).toBe(DAY);
    expect(candle?.price_high).toBeLessThan(high * 1.005);
    expect(candle?.price_high).toBeGreaterThan(high * 0.99);
    expect(candle?.price_low).toBeGreaterThan(low * 0.995);
    expect(candle?.price_low).toBeLessThan(low * 1.01);
  });

  it(`closes minutes within ${CLOSE_BP} basis points of the exchange, for 95 % of them`, async () => {
    const minutes = exchangeMinutes();
    const { data } = await api.get<{ data: Candle[] }>(
      `/v1/price/historical/ohlc?token_address=${WETH}&interval=1m&fill=false&max_size=2500` +
        `&from_timestamp=${DAY}&until_timestamp=${END - 1}`,
    );
    const differences = data
      .filter((candle) => candle.price_close !== null)
      .map((candle) => {
        const close = minutes.get(candle.timestamp_open)?.close ?? Number.NaN;
        return Math.abs(candle.price_close / close - 1) * 10_000;
      })
      .sort((a, b) => a - b);
    expect(differences.length).toBeGreaterThan(counts.minutes * 0.55);
    const p95 = differences[Math.floor(differences.length * 0.95)] ?? Number.NaN;
    expect(p95).toBeLessThan(CLOSE_BP);
  });

  it("returns the same TVL over time as at each time", async () => {
    const query = `pool_address=${POOL}&price_type=price_token_usd_robust_tick_1`;
    const { data, ...head } = await api.get<{ data: TvlPoint[] }>(
      `/v1/market-api/pool-tvl-history?${query}&interval=1m&until_timestamp=${END}&max_size=1000`,
    );
    expect(data.length).toBeGreaterThan(100);
    for (const { as_of_timestamp: at, ...point } of data.filter((_, i) => i % 50 === 0)) {
      const { data: then } = await api.get<{ data: object[] }>(
        `/v1/market-api/batch-latest-pool-tvl?${query}&timestamp=${at}`,
      );
      expect([at, { ...head, ...point }]).toEqual([at, then[0]]);
    }
    expect(new Set(data.map(({ token_1_price_usd }) => token_1_price_usd)).size).toBeGreaterThan(90);
  });

  it("has the exchange's latest price of WETH", async () => {
    const [latest] = await api.get<{ price_usd: number; timestamp: number }[]>(
      `/v1/price-api/batch-latest-token-prices?token_address=${WETH}`,
    );
    const minute = exchangeMinutes().get(Math.floor((latest?.timestamp ?? 0) / 60) * 60);
    expect(Math.abs((latest?.price_usd ?? 0) / (minute?.close ?? 1) - 1)).toBeLessThan(0.005);
  });
});
