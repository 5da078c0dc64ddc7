import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ethereum } from "../../src/chains/ethereum.ts";
import { intAt } from "../../src/decode/abi/abi.ts";
import { bundleCounts, DATA_SET, readGzLines, USDC_WETH } from "../support/nodes/bundles.ts";
import { decodeBlocks, poolsOf } from "../support/nodes/decoded-blocks.ts";
import { recordedBlocks, recordedCalls } from "../support/nodes/recording.ts";
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
const MORNING = 1_704_412_800;
/**
 * Tolerance in basis points. The excerpt has only the first two hours, which are farther off than the rest of
 * the morning.
 */
const CLOSE_BP = DATA_SET === "full" ? 20 : 22;
const MINUTES = bundleCounts(USDC_WETH).minutes;

/** A minute of a pool: the net base units that entered it, and its ticks after swaps. */
interface PoolMinute {
  net0: bigint;
  net1: bigint;
  open: number;
  low: number;
  high: number;
  close: number;
}

/** Reads the oracle's minutes by Unix time. A minute without swaps has the previous tick. */
function oracleMinutes(): Map<number, PoolMinute> {
  const [header = "", ...lines] = readGzLines(USDC_WETH, "oracle-minute-0x88e6.csv.gz");
  const names = header.split(",");
  return new Map(
    lines.map((line) => {
      const cells = line.split(",");
      const cell = (name: string) => cells[names.indexOf(name)] ?? "";
      const minute = {
        net0: BigInt(cell("netAmount0")),
        net1: BigInt(cell("netAmount1")),
        open: Number(cell("openTick")),
        low: Number(cell("lowestTick")),
        high: Number(cell("highestTick")),
        close: Number(cell("closeTick")),
      };
      return [Date.parse(`${cell("timestamp").replace(" ", "T")}Z`) / 1000, minute];
    }),
  );
}

/** Computes the pool's minutes from the swaps that our decoder finds in the recorded blocks. */
async function decodedMinutes(): Promise<Map<number, PoolMinute>> {
  const blocks = recordedBlocks(USDC_WETH);
  const pools = await poolsOf(blocks, ethereum, recordedCalls(USDC_WETH));
  const minutes = new Map<number, PoolMinute>();
  for (const { block, transactions } of decodeBlocks(blocks, pools, ethereum)) {
    const start = block.timestamp - (block.timestamp % 60);
    for (const { transaction, events } of transactions) {
      for (const event of events) {
        if (event.kind !== "swap" || event.pool.address !== POOL) continue;
        const log = transaction.logs.find(({ logIndex }) => logIndex === event.logIndex);
        const tick = Number(intAt(log?.data ?? "0x", TICK_WORD));
        minutes.set(start, afterSwap(minutes.get(start), event, tick));
      }
    }
  }
  return minutes;
}

/**
 * Index of the tick among the words of Swap(..., int256 amount0, int256 amount1, uint160 sqrtPriceX96,
 * uint128 liquidity, int24 tick).
 */
const TICK_WORD = 4;

function afterSwap(
  minute: PoolMinute | undefined,
  { amount0, amount1 }: { amount0: bigint; amount1: bigint },
  tick: number,
): PoolMinute {
  const before = minute ?? { net0: 0n, net1: 0n, open: tick, low: tick, high: tick };
  return {
    net0: before.net0 + amount0,
    net1: before.net1 + amount1,
    open: before.open,
    low: Math.min(before.low, tick),
    high: Math.max(before.high, tick),
    close: tick,
  };
}

/** Price of WETH (18 decimals) in USD. USDC (6 decimals) is token0. */
const priceAt = (tick: number) => 1e12 / 1.0001 ** tick;

interface Candle {
  timestamp_open: number;
  price_open: number;
  price_high: number;
  price_low: number;
  price_close: number;
}

const basisPoints = (price: number, expected: number) => Math.abs(price / expected - 1) * 10_000;

function quantile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

describe("minutes of the USDC/WETH 0.05 % pool on the morning of 2024-01-05", () => {
  const folder = temporaryFolder();
  let server: Running | undefined;
  let api: Api;

  beforeAll(async () => {
    const node = await startReplayNode([USDC_WETH]);
    const { first, last } = bundleCounts(USDC_WETH);
    const range = ["--from", String(first), "--to", String(last)];
    const run = await runQuarry(["index", "--rpc", node.url, ...range, "--data", folder.path, "--no-verify"]);
    await node.stop();
    expect(run.code, run.stderr).toBe(0);
    server = startQuarry(["serve", "--data", folder.path, "--port", "0"]);
    const [, url] = await server.printed(/"url":"(http:[^"]+)"/);
    api = apiAt(url ?? "");
  });
  afterAll(async () => {
    await server?.stop();
    folder.remove();
  });

  const candles = async (more: string) =>
    (
      await api.get<{ data: Candle[] }>(
        `/v1/price/historical/ohlc?token_address=${WETH}&interval=1m&max_size=2500&order=asc` +
          `&from_timestamp=${MORNING}&until_timestamp=${MORNING + MINUTES * 60 - 1}&${more}`,
      )
    ).data;

  it("decoded swaps give the oracle's net amounts and ticks for every minute", async () => {
    const oracle = oracleMinutes();
    const decoded = await decodedMinutes();
    expect(oracle.size).toBe(MINUTES);
    let tick: number | undefined;
    for (const [start, minute] of oracle) {
      const standing = tick ?? minute.open;
      const still = { net0: 0n, net1: 0n, open: standing, low: standing, high: standing, close: standing };
      expect([start, decoded.get(start) ?? still]).toEqual([start, minute]);
      tick = minute.close;
    }
    expect([...decoded.keys()].filter((start) => !oracle.has(start))).toEqual([]);
    expect(decoded.size).toBeGreaterThan(MINUTES * 0.8);
  });

  it("candles of the pool are as close to its ticks as fees and price impact allow", async () => {
    const decoded = await decodedMinutes();
    const pool = `pool_address=${POOL}&price_type=price_token_usd_tick_1&open_method=first_trade&fill=false`;
    const traded = (await candles(pool)).filter(({ price_close }) => price_close !== null);
    expect(traded.map(({ timestamp_open }) => timestamp_open)).toEqual([...decoded.keys()]);
    const distances = traded.flatMap((candle) => {
      const minute = decoded.get(candle.timestamp_open);
      if (minute === undefined) return [Number.NaN];
      return [
        basisPoints(candle.price_open, priceAt(minute.open)),
        basisPoints(candle.price_high, priceAt(minute.low)),
        basisPoints(candle.price_low, priceAt(minute.high)),
        basisPoints(candle.price_close, priceAt(minute.close)),
      ];
    });
    expect(quantile(distances, 0.5)).toBeLessThan(10);
    expect(quantile(distances, 0.99)).toBeLessThan(60);
  });

  it(`closes over all pools are within ${CLOSE_BP} basis points of the exchange's, for 95 % of the minutes`, async () => {
    const [, ...lines] = readGzLines(USDC_WETH, "oracle-ethusdt-1m.csv.gz");
    const closes = new Map(
      lines.map((line) => {
        const [time = "", , , , close] = line.split(",");
        return [Date.parse(`${time.replace(" ", "T")}Z`) / 1000, Number(close)];
      }),
    );
    const distances = (await candles("fill=true")).map(({ timestamp_open, price_close }) =>
      basisPoints(price_close, closes.get(timestamp_open) ?? Number.NaN),
    );
    expect(distances).toHaveLength(MINUTES);
    expect(quantile(distances, 0.5)).toBeLessThan(10);
    expect(quantile(distances, 0.95)).toBeLessThan(CLOSE_BP);
  });
});
