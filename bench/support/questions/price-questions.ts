import type { Hex } from "../../../src/lib/hex.ts";
import { DAY_SECONDS } from "../../../src/lib/seconds.ts";
import { readAllTime } from "../../../src/reads/prices/all-time-prices.ts";
import { readLatestPrices } from "../../../src/reads/prices/latest-prices.ts";
import { readOhlc } from "../../../src/reads/prices/ohlc.ts";
import { readPriceChanges } from "../../../src/reads/prices/price-changes.ts";
import { readTicks } from "../../../src/reads/prices/ticks.ts";
import type { Snapshot } from "../../../src/reads/snapshot/snapshot.ts";
import { END, START } from "../generated-market.ts";

/** One request, in the form that each measured system expects. */
export interface PriceQuestion {
  name: string;
  /** Target time to the last byte for one client on two cores, in milliseconds. */
  barMs: number;
  path: string;
  /** Body of the POST request. */
  body: Record<string, unknown>;
  /** Runs the read behind the endpoint. */
  read(snapshot: Snapshot): Promise<unknown>;
  postgres: string;
  /**
   * Returns the numbers of a response that are compared. PostgreSQL's column `checked` must have the same
   * sum.
   */
  checked(answer: unknown): (number | null)[];
}

const ROBUST = "price_token_usd_robust_tick_1";
const MINUTES = 2_500;
const DAYS = 100;
const TICKS = 100_000;

/** @param tokens by rank, the most traded token first */
export function priceQuestions(tokens: readonly Hex[]): PriceQuestion[] {
  const [hottest = "0x"] = tokens;
  const spread = tokens.filter((_, rank) => rank % 5 === 0);
  const busiest = tokens.slice(0, spread.length);
  return [
    latest(`latest of ${spread.length}, every fifth token`, spread),
    latest(`latest of ${busiest.length}, the busiest tokens`, busiest),
    candles(`${MINUTES} one-minute candles`, { token: hottest, interval: 60, count: MINUTES }),
    candles(`${DAYS} daily candles`, { token: hottest, interval: DAY_SECONDS, count: DAYS }),
    ticks(`${TICKS} ticks`, hottest),
    allTime(`all-time of ${spread.length}, every fifth token`, spread),
    allTime(`all-time of ${busiest.length}, the busiest tokens`, busiest),
    change(`change (24h) of ${spread.length}, every fifth token`, spread),
    change(`change (24h) of ${busiest.length}, the busiest tokens`, busiest),
  ];
}

function latest(name: string, tokens: readonly Hex[]): PriceQuestion {
  return {
    name,
    barMs: 60,
    path: "/v1/price-api/batch-latest-token-prices",
    body: { token_address: tokens },
    read: (snapshot) => readLatestPrices(snapshot, tokens, ROBUST),
    postgres: `SELECT '0x' || encode(token, 'hex'), symbol, name, block_number, traded_at, '0x' || encode(tx, 'hex'), price_eth, robust AS checked FROM ${asked(tokens)} JOIN latest USING (token)`,
    checked: (answer) => (answer as { price_usd: number | null }[]).map(({ price_usd }) => price_usd),
  };
}

function candles(
  name: string,
  { token, interval, count }: { token: Hex; interval: number; count: number },
): PriceQuestion {
  const lastOpen = Math.floor(END / interval) * interval;
  const from = lastOpen - (count - 1) * interval;
  const seconds = { 60: "1m", [DAY_SECONDS]: "1d" }[interval] ?? `${interval / 60}m`;
  const first = (order: string) =>
    `(array_agg(robust ORDER BY traded_at ${order}, record_index ${order}) FILTER (WHERE robust IS NOT NULL))[1]`;
  return {
    name,
    barMs: 20,
    path: "/v1/price/historical/ohlc",
    body: {
      token_address: token,
      interval: seconds,
      from_timestamp: from,
      until_timestamp: END,
      max_size: count,
      with_volume: true,
    },
    read: (snapshot) =>
      readOhlc(snapshot, {
        token,
        pool: "all",
        priceType: ROBUST,
        intervalSeconds: interval,
        from,
        until: END,
        maxSize: count,
        order: "desc",
        fill: true,
        openMethod: "prev_close",
      }),
    postgres: `SELECT traded_at / ${interval} * ${interval} AS opened, ${first("ASC")}, max(robust), min(robust), ${first("DESC")}, sum(amount_usd), count(*) AS checked FROM trades WHERE token = ${bytea(token)} AND traded_at >= ${from} AND traded_at <= ${END} GROUP BY opened ORDER BY opened DESC`,
    checked: (answer) =>
      (answer as { data: { num_trades: number }[] }).data.map((one) => one.num_trades || null),
  };
}

function ticks(name: string, token: Hex): PriceQuestion {
  return {
    name,
    barMs: 300,
    path: "/v1/price/historical/tick",
    body: { token_address: token, from_timestamp: START, until_timestamp: END, size: TICKS },
    read: async (snapshot) => {
      const question = { pools: "all", priceType: ROBUST, from: START, until: END, size: TICKS } as const;
      let bytes = 0;
      for await (const piece of readTicks(snapshot, { ...question, tokens: [token] })) bytes += piece.length;
      return bytes;
    },
    postgres: `SELECT block_number, traded_at, '0x' || encode(tx, 'hex'), robust AS checked, price_eth, amount_token FROM trades WHERE token = ${bytea(token)} AND traded_at >= ${START} AND traded_at <= ${END} AND robust IS NOT NULL ORDER BY traded_at DESC, record_index DESC LIMIT ${TICKS}`,
    checked: (answer) => (answer as { data: { price_usd: number }[] }).data.map(({ price_usd }) => price_usd),
  };
}

function allTime(name: string, tokens: readonly Hex[]): PriceQuestion {
  const lateral = (alias: string, order: string) =>
    `CROSS JOIN LATERAL (SELECT robust, traded_at, '0x' || encode(tx, 'hex') FROM trades WHERE trades.token = asked.token AND robust IS NOT NULL ORDER BY ${order} LIMIT 1) AS ${alias}`;
  const ends = [
    lateral("opening", "traded_at ASC, record_index ASC"),
    lateral("highest", "robust DESC, record_index ASC"),
    lateral("lowest", "robust ASC, record_index ASC"),
    lateral("closing", "traded_at DESC, record_index DESC"),
  ];
  return {
    name,
    barMs: 150,
    path: "/v1/price-api/batch-all-time-ohlc",
    body: { token_address: tokens },
    read: (snapshot) => readAllTime(snapshot, tokens, "all", ROBUST),
    postgres: `SELECT '0x' || encode(asked.token, 'hex'), opening.*, highest.*, highest.robust AS checked, lowest.*, closing.* FROM ${asked(tokens)} ${ends.join(" ")}`,
    checked: (answer) => (answer as { price_high: number | null }[]).map(({ price_high }) => price_high),
  };
}

function change(name: string, tokens: readonly Hex[]): PriceQuestion {
  const from = END - DAY_SECONDS;
  const lateral = (alias: string, at: number) =>
    `LEFT JOIN LATERAL (SELECT tick FROM trades WHERE trades.token = asked.token AND traded_at <= ${at} AND tick IS NOT NULL ORDER BY traded_at DESC, record_index DESC LIMIT 1) AS ${alias} ON true`;
  return {
    name,
    barMs: 300,
    path: "/v1/price-api/batch-latest-price-change",
    body: { token_address: tokens, timestamp: END, lookback: "24h" },
    read: (snapshot) =>
      readPriceChanges(snapshot, { tokens, priceType: "price_token_usd_tick_1", from, until: END }),
    postgres: `SELECT '0x' || encode(asked.token, 'hex'), before.tick, after.tick AS checked FROM ${asked(tokens)} ${lateral("before", from)} ${lateral("after", END)}`,
    checked: (answer) => (answer as { price_close: number | null }[]).map(({ price_close }) => price_close),
  };
}

function bytea(hex: Hex): string {
  return `'\\x${hex.slice(2)}'::bytea`;
}

function asked(tokens: readonly Hex[]): string {
  const items = tokens.map((token) => `"\\\\x${token.slice(2)}"`);
  return `unnest('{${items.join(",")}}'::bytea[]) AS asked(token)`;
}
