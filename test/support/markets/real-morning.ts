import { ethereum } from "../../../src/chains/ethereum.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { readBundleJson, readGzLines, USDC_WETH } from "../nodes/bundles.ts";
import { decodeBlocks, poolsOf } from "../nodes/decoded-blocks.ts";
import { recordedBlocks } from "../nodes/recording.ts";
import type { LabelledTrade } from "./amm-market.ts";
import type { OutlierCase } from "./outlier-cases.ts";

const [USDC = "0x"] = ethereum.stableCoins;
const USDC_UNIT = 1e6;
const WETH_UNIT = 1e18;
const ATTACKER = 60_000;

/**
 * Returns the trades of WETH against USDC in two pools on the morning of 2024-01-05. The truth comes from an
 * exchange's minute candles.
 */
export async function morningTrades(): Promise<LabelledTrade[]> {
  const blocks = recordedBlocks(USDC_WETH);
  const truthAt = exchangePrices();
  const answers = readBundleJson<Record<string, Record<string, Hex>>>(USDC_WETH, "calls.json");
  const pools = await poolsOf(blocks, ethereum, async (calls) =>
    calls.map(({ to, data }) => answers[to]?.[data] ?? null),
  );
  const numbers = new Map<string, number>();
  const numberOf = (name: string) => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  return decodeBlocks(blocks, pools, ethereum).flatMap(({ block, transactions }) =>
    transactions.flatMap(({ transaction, events }) =>
      events.flatMap((event): LabelledTrade[] => {
        if (event.kind !== "swap" || event.pool.token0 !== USDC) return [];
        const usd = Math.abs(Number(event.amount0)) / USDC_UNIT;
        const tokens = Math.abs(Number(event.amount1)) / WETH_UNIT;
        if (usd === 0 || tokens === 0) return [];
        return [
          {
            block: block.number,
            timestamp: block.timestamp,
            transaction: numberOf(transaction.hash),
            pool: numberOf(event.pool.address),
            trader: numberOf(transaction.from),
            price: usd / tokens,
            usd,
            buys: event.amount1 < 0n,
            truth: truthAt(block.timestamp),
            bent: false,
          },
        ];
      }),
    ),
  );
}

/** Returns the exchange's price, interpolated linearly from each minute's open to its close. */
function exchangePrices(): (timestamp: number) => number {
  const minutes = new Map<number, { open: number; close: number }>();
  for (const line of readGzLines(USDC_WETH, "oracle-ethusdt-1m.csv.gz").slice(1)) {
    const [time = "", open, , , close] = line.split(",");
    const second = Date.parse(`${time.replace(" ", "T")}Z`) / 1000;
    minutes.set(second, { open: Number(open), close: Number(close) });
  }
  return (timestamp) => {
    const second = timestamp % 60;
    const { open, close } = minutes.get(timestamp - second) ?? { open: Number.NaN, close: Number.NaN };
    return open + ((close - open) * second) / 60;
  };
}

/**
 * Returns the morning as it was, and one variant for each size of attack. An attack follows every fortieth
 * block: four trades that move the price away and back.
 */
export function morningCases(trades: readonly LabelledTrade[]): OutlierCase[] {
  const bent = [1.02, 1.03, 1.05, 1.1, 1.5].map((factor) => withAttacks(trades, factor));
  return [
    { name: "real morning", kind: "market", variants: [[...trades]] },
    { name: "real morning, with attacks", kind: "manipulation", variants: bent },
  ];
}

function withAttacks(trades: readonly LabelledTrade[], factor: number): LabelledTrade[] {
  let blocks = 0;
  return trades.flatMap((trade, i) => {
    if (trades[i + 1]?.block === trade.block) return [trade];
    blocks += 1;
    if (blocks % 40 !== 0) return [trade];
    const push = blocks % 80 === 0 ? factor : 1 / factor;
    const attack = [Math.sqrt(push), push, push, Math.sqrt(push)].map((share, place) => ({
      ...trade,
      transaction: 1e6 + 10 * blocks + place,
      trader: ATTACKER + place,
      price: trade.price * share,
      usd: 50_000,
      buys: place < 2 ? push > 1 : push < 1,
      bent: true,
    }));
    return [trade, ...attack];
  });
}
