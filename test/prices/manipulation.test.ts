import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MINTER } from "../../devnet/market/wallets.ts";
import type { LabelledTrade } from "../support/markets/amm-market.ts";
import { manipulations, moves, type OutlierCase, SETTINGS } from "../support/markets/outlier-cases.ts";
import { priceBookRule, type Score, score } from "../support/markets/outlier-score.ts";
import { type Play, type PlayReport, playCases, type Served } from "../support/markets/played-cases.ts";

const MOST_CANDLES = 2500;
const INTERVALS = [
  ["1m", 60],
  ["1h", 3600],
] as const;
/**
 * Maximum difference in log price between a swap in a real pool and the simulated one. They differ because
 * real amounts are whole base units.
 */
const SAME_PRICE = 0.005;
/** Below this value, amounts have too few units for a price. */
const DUST_USD = 1;

interface Performance extends Play {
  name: string;
  market: string;
}

/**
 * Returns one variant of each manipulation in each market, and of each case of honest trading. The
 * manipulations have different sizes and seeds in turn. `taxed` are the manipulations by a transfer tax, with
 * only the trades that a pool made.
 */
function performances(): { attacks: Performance[]; honest: Performance[]; taxed: Performance[] } {
  const attacks = SETTINGS.flatMap((setting, i) =>
    manipulations([setting]).map((each, j) => ({
      name: each.name,
      market: setting.name,
      trades: variantOf(each, 4 * i + 3 * j),
    })),
  );
  const honest = moves().map((each) => ({ name: each.name, market: "", trades: each.variants.at(-1) ?? [] }));
  const taxed = attacks
    .filter(({ name, market }) => name === "fee on transfer" && market.startsWith("one "))
    .map((each) => ({
      ...each,
      trades: each.trades.filter(({ made }) => made !== undefined),
      isTaxed: true,
    }));
  return { attacks, honest, taxed };
}

function variantOf({ variants }: OutlierCase, number: number): LabelledTrade[] {
  return variants[number % variants.length] ?? [];
}

const { attacks, honest, taxed } = performances();
const PLAYS = [...attacks, ...honest, ...taxed];

describe("labelled cases, traded in real Uniswap pools and indexed", () => {
  let served: Served;
  let reports: PlayReport[] = [];

  beforeAll(async () => {
    ({ served, reported: reports } = await playCases(PLAYS));
  }, 600_000);

  afterAll(() => served?.close());

  function reportOf(play: Performance): PlayReport {
    return reports[PLAYS.indexOf(play)] ?? expect.fail(play.name);
  }

  function scoreOf(plays: readonly Performance[]): Score {
    const verdicts = new Map(plays.map(reportOf).map((each) => [each.trades, each.verdicts]));
    return score([...verdicts.keys()], (trades) => verdicts.get(trades as LabelledTrade[]) ?? []);
  }

  it.each(SETTINGS)(
    "no attack moves a candle of a $name farther than allowed",
    ({ name: market, bounds }) => {
      const { moved, recall, accepted, lag } = scoreOf(attacks.filter((play) => play.market === market));
      expect(moved).toBeLessThanOrEqual(bounds.moved);
      expect(recall).toBeGreaterThanOrEqual(bounds.recall);
      expect(accepted).toBeGreaterThan(0.99);
      expect(lag).toBeLessThanOrEqual(3);
    },
  );

  it.each(honest)("$name is followed within ten trades", (play) => {
    const { accepted, lag } = scoreOf([play]);
    expect(lag).toBeLessThan(10);
    // After a sudden fall, a new price is accepted only after six trades, which are more than 1 % of the
    // trades.
    expect(accepted).toBeGreaterThanOrEqual(/crash|rug/.test(play.name) ? 0.98 : 0.99);
  });

  it("accepts 99 % of all honest trades", () => {
    expect(scoreOf(PLAYS).accepted).toBeGreaterThan(0.99);
  });

  it.each(PLAYS)("$name $market: prices and verdicts equal those of the simulated pools", (play) => {
    const { trades, verdicts } = reportOf(play);
    const off = trades.map(({ price, usd }, i) =>
      usd < DUST_USD ? 0 : Math.abs(Math.log(price / (play.trades[i]?.price ?? Number.NaN))),
    );
    expect(Math.max(...off)).toBeLessThan(SAME_PRICE);
    expect(verdicts).toEqual(priceBookRule(play.trades));
  });

  it.each(PLAYS)("$name $market: REST returns the candles of the accepted trades", async (play) => {
    for (const [interval, seconds] of INTERVALS) {
      const end = (play.trades[0]?.timestamp ?? 0) + (MOST_CANDLES - 1) * seconds;
      const isServed = ([start]: readonly (number | null)[]) => (start ?? 0) <= end;
      const candles = await servedCandles(play, interval);
      expect(candles.filter(isServed)).toEqual(candlesOf(reportOf(play), seconds).filter(isServed));
    }
  });

  it.each(taxed)(
    "a tax on transfers moves no price of a pool, which counts the received amount ($market)",
    async (play) => {
      const { token, trades } = reportOf(play);
      const [row] = await served.sql<{ n: number }>(
        `SELECT COUNT(*) AS n FROM played_erc20 WHERE token_address = '${token}' AND to_address = '${MINTER}'`,
      );
      expect(row?.n).toBeGreaterThan(trades.length);
      expect(scoreOf([play]).moved).toBe(0);
    },
  );

  async function servedCandles(play: Performance, interval: string): Promise<(number | null)[][]> {
    const { token, trades } = reportOf(play);
    const { data } = await served.get<{ data: Candle[] }>(
      `/v1/price/historical/ohlc?chain=played&token_address=${token}&interval=${interval}&fill=false` +
        `&open_method=first_trade&order=asc&max_size=${MOST_CANDLES}&until_timestamp=${trades.at(-1)?.timestamp}`,
    );
    const priced = data.filter(({ price_close }) => price_close !== null);
    return priced.map((one) => [
      one.timestamp_open,
      one.price_open,
      one.price_high,
      one.price_low,
      one.price_close,
    ]);
  }
});

interface Candle {
  timestamp_open: number;
  price_open: number;
  price_high: number;
  price_low: number;
  price_close: number | null;
}

function candlesOf({ trades, verdicts }: PlayReport, seconds: number): number[][] {
  const buckets = new Map<number, number[]>();
  for (const [i, { timestamp, price }] of trades.entries()) {
    if (verdicts[i] !== true) continue;
    const start = timestamp - (timestamp % seconds);
    buckets.set(start, [...(buckets.get(start) ?? []), price]);
  }
  return [...buckets].map(([start, prices]) => [
    start,
    prices[0] ?? Number.NaN,
    Math.max(...prices),
    Math.min(...prices),
    prices.at(-1) ?? Number.NaN,
  ]);
}
