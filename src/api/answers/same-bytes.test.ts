import type { FastifyInstance } from "fastify";
import { beforeAll, describe, expect, it } from "vitest";
import { seeded } from "../../../test/support/seeded.ts";
import { identifier, sql } from "../../engine-sql/sql-text.ts";
import { hexOf, openMarket, type Trade } from "../../reads/support/market.ts";
import { createServer } from "../http/server.ts";

const START = 1_704_412_800;
const TRADES = 6_000;
const TOKENS = [hexOf(0xa1), hexOf(0xa2), hexOf(0xa3)];
const WALLETS = [hexOf(0xc1), hexOf(0xc2), hexOf(0xc3)];
const [TOKEN = hexOf(0)] = TOKENS;
const [WALLET = hexOf(0)] = WALLETS;

/** Makes trades over two months, with values of all magnitudes, whose sum in doubles depends on the order. */
function tradesOfAllSizes(): Trade[] {
  const random = seeded(5);
  const one = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: TRADES }, (_, i) => ({
    token: one(TOKENS),
    at: START + Math.floor(i / 20) * 17_280,
    price: 0.1 + random() / 3,
    usd: random() * 10 ** (random() * 12 - 4),
    trader: one(WALLETS),
    side: one(["buy", "sell"] as const),
    pool: one([hexOf(0xb1), hexOf(0xb2)]),
  }));
}

const RANGE = { until_timestamp: START + 60 * 86_400, price_type: "price_token_usd_tick_1" };

const QUESTIONS: [path: string, parameters: Record<string, unknown>, method?: string][] = [
  ...["1h", "7d", "365d"].flatMap((interval): typeof QUESTIONS => [
    [
      "/v1/price/historical/ohlc",
      { token_address: TOKEN, interval, ...RANGE, with_volume: true, max_size: 2500 },
      "v1/getPriceHistoricalOHLC",
    ],
  ]),
  ["/v1/price/historical/ohlc", { token_address: TOKEN, pool_address: hexOf(0xb1), ...RANGE, fill: false }],
  ["/v1/price/historical/tick", { token_address: TOKENS, ...RANGE, size: 300 }],
  ["/v1/price-api/batch-all-time-ohlc", { token_address: TOKENS }],
  ["/v1/price-api/batch-latest-token-prices", { token_address: TOKENS }],
  ["/v1/price-api/batch-latest-price-change", { token_address: TOKENS, timestamp: RANGE.until_timestamp }],
  ["/v1/wallet-api/batch-latest-total-performance", { wallet_address: WALLETS }],
  [
    "/v1/wallet-api/latest-total-performance",
    { wallet_address: WALLET },
    "v1/getWalletLatestTotalPerformance",
  ],
  [
    "/v1/wallet-api/latest-performance-per-token",
    { wallet_address: WALLET },
    "v1/getWalletLatestPerformancePerToken",
  ],
  ["/v1/topk-api/dex-trades", { groupby: "token_address", eq: TOKENS, sortby: "amount_usd", size: 20 }],
];

/**
 * The distinct answers to each question, from stores that divide the same trades into parts in different
 * ways.
 */
const answers = QUESTIONS.map(() => new Set<string>());

beforeAll(async () => {
  for (const summarized of [true, false]) {
    const market = await openMarket(tradesOfAllSizes(), { summarized });
    const app = await createServer(market);
    await askAll(app);
    for (const table of ["eth_dex_trades", "eth_wallet_trades"]) {
      await market.engine.execute(sql`OPTIMIZE TABLE ${identifier(table)} FINAL`);
    }
    await askAll(app);
    await app.close();
    await market.close();
  }
});

/** Sends each question several times at once, by REST and by JSON-RPC. */
async function askAll(app: FastifyInstance): Promise<void> {
  for (const [i, [path, params, method]] of QUESTIONS.entries()) {
    const rest = Array.from({ length: 4 }, () => bytesOf(app, path, params));
    const rpc = method === undefined ? [] : [bytesOf(app, "/v1/rpc", { id: 1, method, params })];
    const results = (await Promise.all(rpc)).map((body) => /"result":(.*)\}$/s.exec(body)?.[1] ?? body);
    for (const answer of [...(await Promise.all(rest)), ...results]) answers[i]?.add(answer);
  }
}

async function bytesOf(app: FastifyInstance, url: string, payload: object): Promise<string> {
  const { statusCode, body } = await app.inject({ method: "POST", url, payload });
  expect([statusCode, body.length > 200], body.slice(0, 200)).toEqual([200, true]);
  return body;
}

describe("the same question about the same block", () => {
  it.each(QUESTIONS.map(([path, { interval = "" }], i) => [path, interval, i] as const))(
    "has one answer, byte by byte: %s %s",
    (_path, _interval, i) => {
      expect([...(answers[i] ?? [])].map((body) => body.slice(0, 1000))).toHaveLength(1);
    },
  );
});
