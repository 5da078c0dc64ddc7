import type { Hex } from "../../../src/lib/hex.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../../../src/lib/seconds.ts";
import { type ApiRequest, get, post } from "./clients/requests.ts";
import type { Keys } from "./keys.ts";
import { randomNumbers, sample } from "./random.ts";

/** Targets of a question with one client and with 32. */
export interface Bar {
  p50Ms?: number;
  /** Maximum difference between the p50 and the bare route's p50. */
  overBareMs?: number;
  /** Minimum requests per second with 32 clients, as a share of the bare route's. */
  shareOfBare?: number;
}

export interface ServingQuestion {
  name: string;
  bar: Bar;
  /** Requests that the clients take in turn. */
  requests: ApiRequest[];
  /**
   * A field of the response whose values PostgreSQL also returns. Absent if the two systems count
   * differently.
   */
  checked?: string;
}

export const LATEST = "/v1/price-api/batch-latest-token-prices";
export const OHLC = "/v1/price/historical/ohlc";
const ALL_TIME = "/v1/price-api/batch-all-time-ohlc";
const CHANGE = "/v1/price-api/batch-latest-price-change";
const TICK = "/v1/price/historical/tick";
const TVL = "/v1/market-api/batch-latest-pool-tvl";
const WALLET = "/v1/wallet-api/latest-total-performance";
const WALLET_TOKENS = "/v1/wallet-api/latest-performance-per-token";
const WALLETS = "/v1/wallet-api/batch-latest-total-performance";
const TRADES = "/v1/topk-api/dex-trades";
const TRANSFERS = "/v1/topk-api/erc20";

/**
 * Number of different requests of a question with one key each. A cache that could hold all their responses
 * would not be worth its memory.
 */
const SINGLE = 1_000;
/**
 * Numbers of different requests with 100, with 1,000 and with 10,000 keys. A request with 10,000 keys is half
 * a megabyte.
 */
const HUNDREDS = 300;
const THOUSANDS = 60;
const TENTHOUSANDS = 40;
/** Number of keys that count as the busiest. Half of the single requests use them. */
const HOT = 1_000;

const ONE: Bar = { overBareMs: 1, shareOfBare: 0.5 };
const SOME: Bar = { shareOfBare: 0.25 };

/**
 * Returns all questions. Their requests are random but repeatable.
 *
 * @param now time of the newest block
 * @param share share of the keys to use in batch questions, less than 1 for a quick run. The names of the
 * questions show the full number.
 */
export function servingQuestions(keys: Keys, now: number, share: number): ServingQuestion[] {
  return [
    ...priceQuestions(keys, share),
    ...candleQuestions(keys, now),
    ...walletQuestions(keys, share),
    ...recordQuestions(keys, share),
  ];
}

function priceQuestions({ tokens, pools }: Keys, share: number): ServingQuestion[] {
  const random = randomNumbers(1);
  const tenThousand = (path: string) =>
    sets(tokens, 10_000 * share, TENTHOUSANDS, random).map((some) => post(path, { token_address: some }));
  const thousandPools = sets(pools, 1_000 * share, THOUSANDS, random);
  return [
    {
      name: "latest price of a token",
      bar: ONE,
      requests: hotAndCold(tokens, random).map((token) => get(LATEST, { token_address: token })),
      checked: "price_usd",
    },
    {
      name: "latest prices of 10,000",
      bar: { p50Ms: 25 },
      requests: tenThousand(LATEST),
      checked: "price_usd",
    },
    {
      name: "all-time of 10,000",
      bar: { p50Ms: 60 },
      requests: tenThousand(ALL_TIME),
      checked: "price_high",
    },
    { name: "changes of 10,000", bar: { p50Ms: 60 }, requests: tenThousand(CHANGE), checked: "price_close" },
    {
      name: "TVL of a pool",
      bar: ONE,
      requests: hotAndCold(pools, random).map((pool) => get(TVL, { pool_address: pool })),
      checked: "token_0_balance",
    },
    {
      name: "TVL of 1,000 pools",
      bar: { p50Ms: 20 },
      requests: thousandPools.map((some) => post(TVL, { pool_address: some })),
      checked: "token_0_balance",
    },
    {
      name: "50 most traded tokens of a day",
      bar: {},
      requests: [get("/v1/screener", { chain: "eth" })],
    },
    { name: "status", bar: ONE, requests: [get("/v1/status")] },
  ];
}

/**
 * Number of tokens for candles. They are the busiest ones, because candles of other tokens are nearly empty.
 */
const CHARTED = 500;

function candleQuestions({ tokens }: Keys, now: number): ServingQuestion[] {
  const random = randomNumbers(2);
  const volume = { with_volume: true };
  const candles = (interval: string, size: number) => (token: Hex) =>
    get(OHLC, { token_address: token, interval, max_size: size, ...volume });
  return [
    {
      name: "100 daily candles",
      bar: { p50Ms: 4 },
      requests: hotAndCold(tokens, random).map(candles("1d", 100)),
      checked: "num_trades",
    },
    {
      name: "2,500 minute candles",
      bar: { p50Ms: 8 },
      requests: sample(tokens.slice(0, CHARTED), CHARTED, random).map(candles("1m", 2_500)),
      checked: "num_trades",
    },
    {
      name: "100 closed hourly candles",
      bar: SOME,
      requests: Array.from({ length: SINGLE }, () => closedCandles(tokens, now, random)),
      checked: "num_trades",
    },
    {
      name: "100 ticks",
      bar: {},
      requests: hotAndCold(tokens, random).map((token) => get(TICK, { token_address: token, size: 100 })),
      checked: "price_usd",
    },
  ];
}

/** Returns a request for candles of 100 hours that ended 1 to 300 days ago. */
function closedCandles(tokens: readonly Hex[], now: number, random: () => number): ApiRequest {
  const hour = Math.floor((now - (1 + 299 * random()) * DAY_SECONDS) / HOUR_SECONDS) * HOUR_SECONDS;
  const token = tokens[Math.floor(random() * Math.min(HOT, tokens.length))] ?? "0x";
  const size = { interval: "1h", max_size: 100, with_volume: true };
  return get(OHLC, {
    token_address: token,
    ...size,
    from_timestamp: hour - 99 * HOUR_SECONDS,
    until_timestamp: hour,
  });
}

function walletQuestions({ wallets }: Keys, share: number): ServingQuestion[] {
  const random = randomNumbers(3);
  const single = (path: string) =>
    sample(wallets, SINGLE, random).map((wallet) => get(path, { wallet_address: wallet }));
  const thousands = sets(wallets, 1_000 * share, THOUSANDS, random);
  return [
    { name: "a wallet", bar: ONE, requests: single(WALLET), checked: "total_trades" },
    { name: "a wallet per token", bar: {}, requests: single(WALLET_TOKENS), checked: "total_trades" },
    {
      name: "1,000 wallets",
      bar: { p50Ms: 60 },
      requests: thousands.map((some) => post(WALLETS, { wallet_address: some })),
      checked: "total_trades",
    },
  ];
}

function recordQuestions({ tokens, wallets }: Keys, share: number): ServingQuestion[] {
  const random = randomNumbers(4);
  const newest = { sortby: "timestamp", size: 10 };
  // A demo has only a few tokens.
  const quiet = tokens.length > HOT ? tokens.slice(HOT) : tokens;
  const hundreds = (name: string, path: string, groupby: string, keys: readonly Hex[]) => ({
    name,
    bar: { p50Ms: 10 },
    requests: sets(keys, 100 * share, HUNDREDS, random).map((eq) => post(path, { groupby, eq, ...newest })),
    checked: "record_index",
  });
  return [
    {
      name: "10 newest trades of a token",
      bar: SOME,
      requests: hotAndCold(tokens, random).map((eq) =>
        get(TRADES, { groupby: "token_address", eq, ...newest }),
      ),
      checked: "record_index",
    },
    hundreds("10 newest trades of 100 busy tokens", TRADES, "token_address", tokens.slice(0, HOT)),
    hundreds("10 newest trades of 100 quiet tokens", TRADES, "token_address", quiet),
    hundreds("10 newest trades of 100 wallets", TRADES, "trader_address", wallets),
    hundreds("10 newest transfers to 100 wallets", TRANSFERS, "to_address", wallets),
  ];
}

/** Returns keys in random order. Half of them are from the busiest keys, and half from the rest. */
function hotAndCold(keys: readonly Hex[], random: () => number): Hex[] {
  const hot = sample(keys.slice(0, HOT), SINGLE / 2, random);
  const cold = sample(keys.slice(HOT), SINGLE / 2, random);
  return sample([...hot, ...cold], SINGLE, random);
}

function sets(keys: readonly Hex[], size: number, count: number, random: () => number): Hex[][] {
  return Array.from({ length: count }, () => sample(keys, size, random));
}

const MIX = 2_000;

/**
 * Returns a mix of requests: 40 % prices of 10 tokens, 25 % candles, 15 % wallets, 10 % SQL, 10 % newest
 * records.
 */
export function realisticMix({ tokens, wallets }: Keys): ApiRequest[] {
  const random = randomNumbers(5);
  const token = () => tokens[Math.floor(random() ** 2 * tokens.length)] ?? "0x";
  const wallet = () => wallets[Math.floor(random() * wallets.length)] ?? "0x";
  const kinds: [number, () => ApiRequest][] = [
    [0.4, () => get(LATEST, { token_address: Array.from({ length: 10 }, token).join(",") })],
    [
      0.25,
      () => get(OHLC, { token_address: token(), interval: random() < 0.5 ? "1h" : "1d", max_size: 100 }),
    ],
    [0.15, () => get(random() < 0.5 ? WALLET : WALLET_TOKENS, { wallet_address: wallet() })],
    [0.1, () => post("/v1/sql", { query: newestTradesSql(token()) })],
    [0.1, () => get(TRADES, { groupby: "token_address", eq: token(), sortby: "timestamp", size: 10 })],
  ];
  const requests = kinds.flatMap(([share, make]) => Array.from({ length: share * MIX }, make));
  return sample(requests, requests.length, random);
}

function newestTradesSql(token: Hex): string {
  return `SELECT timestamp, side, amount_usd, price_token_usd_tick_1 FROM eth_dex_trades WHERE token_address = '${token}' ORDER BY timestamp DESC LIMIT 20`;
}
