import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexBytes, integer, sql } from "../../../engine-sql/sql-text.ts";
import type { Hex } from "../../../lib/hex.ts";
import { ETH, hexOf, type Market, openMarket, type Trade } from "../../../reads/support/market.ts";
import { recordIndexOf } from "../../../schema/record-index.ts";
import { ServingState } from "../../../serving/serving-state.ts";
import { createServer } from "../../http/server.ts";
import { get, post } from "../../support/http.ts";
import { batchLatestTotalPerformance } from "./batch-latest-total-performance.ts";
import { latestPerformancePerToken } from "./latest-performance-per-token.ts";
import { latestTotalPerformance } from "./latest-total-performance.ts";

const BATCH = "/v1/wallet-api/batch-latest-total-performance";
const TOTAL = "/v1/wallet-api/latest-total-performance";
const PER_TOKEN = "/v1/wallet-api/latest-performance-per-token";
const AT = 1_704_412_800;
const FIRST_BLOCK = 1000;

const [GOLD, TIN, LEAD, USDC] = [0xa1, 0xa2, 0xa3, 0xa4].map((number) => hexOf(number)) as [
  Hex,
  Hex,
  Hex,
  Hex,
];
const [ALICE, BOB, CAROL, HUGE, LARGE, MEDIUM] = [1, 2, 3, 4, 5, 6].map((number) =>
  hexOf(0xabcdef00 + number),
) as [Hex, Hex, Hex, Hex, Hex, Hex];
const REST = hexOf(0xabcdef07);
const NOBODY = hexOf(0xabcdefff);
const many = (count: number) => Array.from({ length: count }, (_, i) => hexOf(0x1000 + i));

const trades: Trade[] = [
  { trader: ALICE, token: GOLD, at: AT, price: 10, usd: 100 },
  { trader: ALICE, token: GOLD, at: AT + 1, price: 20, usd: 80, side: "sell" },
  { trader: ALICE, token: TIN, at: AT + 2, price: 2, usd: 30 },
  { trader: ALICE, token: USDC, at: AT + 3, price: 1, usd: 50 },
  { trader: BOB, token: TIN, at: AT + 4, price: 3, usd: 90, side: "sell" },
  { trader: CAROL, token: LEAD, at: AT + 5, price: 5, robust: null, usd: 20 },
  { trader: hexOf(0x1003), token: GOLD, at: AT + 6, price: 30, usd: 60 },
];

let market: Market;
let app: FastifyInstance;
/** A service that answers from memory when it can. */
let served: FastifyInstance;
let serving: ServingState;

beforeAll(async () => {
  market = await openMarket(trades, { named: [GOLD, TIN] });
  await copyTrades(HUGE, 100_001);
  await copyTrades(LARGE, 60_000);
  await copyTrades(MEDIUM, 40_001);
  await copyTrades(REST, 40_000);
  const chain = { ...ETH, stableCoins: [USDC, hexOf(0xdead)] };
  app = await createServer({ ...market, chains: [{ chain, store: market.store }] });
  serving = new ServingState(64 * 2 ** 20);
  serving.startAt(await market.store.committed());
  served = await createServer({ ...market, chains: [{ chain, store: market.store, serving }] });
});
afterAll(async () => {
  await Promise.all([app.close(), served.close()]);
  await market.close();
});

let placed = 1000;

/** Inserts purchases of 1 GOLD for 1 USD by a wallet into the wallets' copy of the trades. */
async function copyTrades(wallet: Hex, count: number, block = FIRST_BLOCK): Promise<void> {
  await market.engine.execute(sql`INSERT INTO eth_wallet_trades (trader_address, record_index, block_number, timestamp,
    token_address, side, amount_token, amount_usd) SELECT ${hexBytes(wallet)}, ${integer(recordIndexOf("wide", block, placed))} + number,
    ${integer(block)}, ${integer(AT)}, ${hexBytes(GOLD)}, 'buy', 1, 1 FROM numbers(${integer(count)})`);
  placed += count;
}

async function responseOf(path: string, body: object) {
  const answer = await post(app, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const schema = { [BATCH]: batchLatestTotalPerformance, [TOTAL]: latestTotalPerformance }[path];
  expect(() => (schema ?? latestPerformancePerToken).answer.parse(answer.body)).not.toThrow();
  expect(await post(served, path, body)).toMatchObject({ body: answer.body });
  return answer.body;
}

describe("the performance of wallets", () => {
  it("has the fields of the interface and their figures", async () => {
    const wallet_address = `${ALICE.toUpperCase().replace("0X", "0x")},${NOBODY}`;
    const { status, body, headers } = await get(app, BATCH, { wallet_address });
    expect([status, headers["x-indexed-block"]]).toEqual([200, String(FIRST_BLOCK + 6)]);
    expect(Object.keys(body.data)).toEqual([ALICE, NOBODY]);
    expect(body.remainder).toEqual([]);
    expect(body.data[ALICE]).toEqual({
      wallet_address: ALICE,
      total_tokens_traded: 3,
      pnl: -100,
      total_profit: 40 + 120 + 15,
      total_value: 80 + 180 + 45 + 50,
      total_investment: 180,
      total_return: (175 / 180) * 100,
      realized_profit: 40,
      realized_value: 80,
      realized_investment: 40,
      realized_return: (40 / 180) * 100,
      unrealized_profit: 135,
      unrealized_value: 275,
      unrealized_investment: 140,
      unrealized_return: (135 / 180) * 100,
      win_rate: 2 / 3,
      total_trades: 4,
      total_buys: 3,
      total_sells: 1,
      first_trade_timestamp: AT,
      last_trade_timestamp: AT + 3,
      total_buy_volume: 180,
      total_sell_volume: 80,
    });
    expect(body.data[NOBODY]).toMatchObject({ total_trades: 0, total_profit: 0, total_return: null });
    expect(body.data[NOBODY]).toMatchObject({ win_rate: null, first_trade_timestamp: null });
  });

  it("is the same for one wallet, in a batch, and summed over its tokens", async () => {
    const { data } = await responseOf(BATCH, { wallet_address: [ALICE, BOB, CAROL] });
    for (const wallet_address of [ALICE, BOB]) {
      expect(await responseOf(TOTAL, { wallet_address })).toEqual(data[wallet_address]);
      const tokens = (await responseOf(PER_TOKEN, { wallet_address })).data as Record<string, number>[];
      for (const name of ["pnl", "total_profit", "realized_value", "unrealized_investment", "total_trades"]) {
        const sum = tokens.reduce((total, token) => total + (token[name] ?? 0), 0);
        expect([name, sum]).toEqual([name, data[wallet_address][name]]);
      }
    }
  });

  it("lists each token, the largest total profit first, unknown profits last", async () => {
    const { data } = await responseOf(PER_TOKEN, { wallet_address: ALICE });
    expect(data.map((token: { token_address: string }) => token.token_address)).toEqual([GOLD, TIN, USDC]);
    expect(data[0]).toEqual({
      ...{ token_address: GOLD, token_symbol: "T161", token_name: "Token 161" },
      ...{ pnl: -20, total_profit: 160, total_value: 260, total_investment: 100, total_return: 160 },
      ...{ realized_profit: 40, realized_value: 80, realized_investment: 40, realized_return: 40 },
      ...{ unrealized_profit: 120, unrealized_value: 180, unrealized_investment: 60, unrealized_return: 120 },
      ...{ total_trades: 2, total_buys: 1, total_sells: 1, total_buy_volume: 100, total_sell_volume: 80 },
      ...{ total_buy_amount: 10, total_sell_amount: 4, avg_buy_price: 10, avg_sell_price: 20 },
      ...{ trading_balance: 6, current_price: 30, first_trade_timestamp: AT, last_trade_timestamp: AT + 1 },
    });
    expect(data[2]).toMatchObject({ token_symbol: null, current_price: 1, total_profit: 0 });
    expect((await responseOf(PER_TOKEN, { wallet_address: NOBODY })).data).toEqual([]);
  });

  it("has no value where no robust price is known", async () => {
    const figures = { total_profit: null, total_value: null, unrealized_value: null, total_return: null };
    expect(await responseOf(TOTAL, { wallet_address: CAROL })).toMatchObject({
      ...figures,
      pnl: -20,
      win_rate: 0,
    });
    const { data } = await responseOf(PER_TOKEN, { wallet_address: CAROL });
    expect(data).toMatchObject([
      { ...figures, current_price: null, total_investment: 20, trading_balance: 4 },
    ]);
  });

  it("excludes stablecoins on request, and lists them", async () => {
    const { body } = await get(app, TOTAL, { wallet_address: ALICE, total_exclude: "True" });
    expect(body).toMatchObject({ total_tokens_traded: 2, total_buy_volume: 130, win_rate: 1 });
    expect(body.excluded).toEqual({ total: [USDC] });
    const { data } = await responseOf(BATCH, { wallet_address: [ALICE, BOB], total_exclude: true });
    expect(data[ALICE]).toEqual(body);
    expect(data[BOB].excluded).toEqual({ total: [] });
    const tokens = (await responseOf(PER_TOKEN, { wallet_address: ALICE, total_exclude: "true" })).data;
    expect(tokens).toHaveLength(2);
    expect(await responseOf(TOTAL, { wallet_address: ALICE, total_exclude: false })).not.toHaveProperty(
      "excluded",
    );
  });

  it("ignores trades above its commit", async () => {
    const before = await responseOf(TOTAL, { wallet_address: BOB });
    await copyTrades(BOB, 1, FIRST_BLOCK + 7);
    expect(await responseOf(TOTAL, { wallet_address: BOB })).toEqual(before);
  });
});

describe("wallets that do not fit into an answer", () => {
  const processed = async (wallet_address: unknown) => {
    const { data, remainder } = await responseOf(BATCH, { wallet_address });
    return [Object.keys(data), remainder];
  };

  it("are in remainder, in the requested order, from the first that does not fit", async () => {
    expect(await processed([LARGE, REST])).toEqual([[LARGE, REST], []]);
    expect(await processed([LARGE, ALICE])).toEqual([[LARGE, ALICE], []]);
    expect(await processed([LARGE, ALICE, MEDIUM, BOB])).toEqual([
      [LARGE, ALICE],
      [MEDIUM, BOB],
    ]);
    expect(await processed([MEDIUM, BOB, LARGE])).toEqual([[MEDIUM, BOB], [LARGE]]);
    const { data } = await responseOf(BATCH, { wallet_address: [LARGE, MEDIUM] });
    expect(data[LARGE]).toMatchObject({ total_trades: 60_000, total_buy_volume: 60_000 });
  });

  it("do not block the wallets after them when they fit into no answer", async () => {
    expect(await processed([HUGE, ALICE, BOB])).toEqual([[ALICE, BOB], [HUGE]]);
    expect(await processed([HUGE])).toEqual([[], [HUGE]]);
  });

  it("include those beyond 1,000, each counted once", async () => {
    const wallets = many(1_001);
    const [first, rest] = await processed([...wallets.slice(0, 1), ...wallets]);
    expect([first, rest]).toEqual([wallets.slice(0, 1_000), wallets.slice(1_000)]);
    const { data } = await responseOf(BATCH, { wallet_address: wallets.join() });
    expect(data[hexOf(0x1003)]).toMatchObject({ total_trades: 1, total_buy_volume: 60 });
    expect((await processed(many(90_000)))[1]).toHaveLength(89_000);
  });

  it("are rejected beyond 4 MiB; other endpoints accept 1 MiB", async () => {
    const tooLarge = async (path: string, bytes: number) => {
      const { status, body } = await post(app, path, { wallet_address: "0".repeat(bytes) });
      return [status, status === 413 ? body.error : null];
    };
    const message = (bytes: number) => `The body is larger than the allowed ${bytes} bytes.`;
    expect(await tooLarge(BATCH, 4 * 2 ** 20)).toEqual([413, message(4_194_304)]);
    expect(await tooLarge(BATCH, 4 * 2 ** 20 - 100)).toEqual([400, null]);
    expect(await tooLarge(TOTAL, 2 ** 20)).toEqual([413, message(1_048_576)]);
  });

  it("are chosen in memory once each of them has been read", async () => {
    for (const wallet of [LARGE, MEDIUM, BOB, HUGE]) await post(served, BATCH, { wallet_address: [wallet] });
    const { memory } = serving.counters;
    await processed([LARGE, ALICE, MEDIUM, BOB]);
    await processed([HUGE, BOB, LARGE, ALICE]);
    expect(serving.counters.memory).toBe(memory + 2);
  });

  it("are an error when requested alone, unless max_size_ok is set", async () => {
    for (const path of [TOTAL, PER_TOKEN]) {
      const { status, body } = await get(app, path, { wallet_address: HUGE });
      expect([status, body.error]).toEqual([
        400,
        expect.stringMatching(/more than 100000 trades.*max_size_ok=true/),
      ]);
    }
    const newest = await get(app, TOTAL, { wallet_address: HUGE, max_size_ok: "True" });
    expect(newest.body).toMatchObject({ total_trades: 100_000, total_buy_volume: 100_000 });
    const { data } = await responseOf(PER_TOKEN, { wallet_address: HUGE, max_size_ok: true });
    expect(data).toMatchObject([{ total_trades: 100_000, trading_balance: 100_000 }]);
    const { status } = await get(served, TOTAL, { wallet_address: HUGE });
    expect(status).toBe(400);
  });
});

describe("invalid requests", () => {
  it("are rejected when GET lists more than 25 wallets", async () => {
    expect((await get(app, BATCH, { wallet_address: many(25).join() })).status).toBe(200);
    const { status, body } = await get(app, BATCH, { wallet_address: many(26).join() });
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(/wallet_address: got a list of 26, expected 1 to 25 .*POST a JSON body for more/),
    ]);
  });

  it.each([
    [{}, /^Missing required parameter: wallet_address$/],
    [{ wallet_address: "0x12" }, /Invalid parameter wallet_address: got "0x12"/],
    [{ wallet_address: hexOf(1, 32) }, /Invalid parameter wallet_address/],
    [{ wallet_address: ALICE, total_exclude: "maybe" }, /total_exclude: got "maybe", expected true or false/],
    [{ wallet_address: ALICE, chain: "moon" }, /Invalid parameter chain: got "moon".*eth/],
  ])("are rejected: %j", async (query, message) => {
    for (const path of [BATCH, TOTAL, PER_TOKEN]) {
      const { status, body } = await post(app, path, query);
      expect([path, status, body.error]).toEqual([path, 400, expect.stringMatching(message)]);
    }
  });

  it("are rejected with several wallets where one is expected, or with a value of another size", async () => {
    for (const path of [TOTAL, PER_TOKEN]) {
      const several = await get(app, path, { wallet_address: `${ALICE},${BOB}` });
      expect([several.status, several.body.error]).toEqual([400, expect.stringContaining("wallet_address")]);
      const size = await get(app, path, { wallet_address: ALICE, max_size_ok: "2" });
      expect([size.status, size.body.error]).toEqual([400, expect.stringContaining("max_size_ok")]);
    }
  });
});
