import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex } from "../../../lib/hex.ts";
import { commitTrades, ETH, hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import { poolRow, tokenRow } from "../../../reads/support/metadata-rows.ts";
import { createServer } from "../../http/server.ts";
import { get, post } from "../../support/http.ts";

const PATH = "/v1/search";
const DAY = 86_400;
const NOW = 1_704_500_000;
const [WETH, PEPE, PEPES, OLD_PEPE, FAKE_WETH] = [ETH.wrappedNative, 2, 3, 4, 5].map((each) =>
  typeof each === "number" ? hexOf(0xa000 + each) : each,
) as [Hex, Hex, Hex, Hex, Hex];
const LINKED = hexOf(0xab_cdef);
/** Start of an address, with an odd number of digits in mixed case. */
const START = `${LINKED.slice(0, -6)}AbCdE`;
const [PEPE_WETH, PEPES_WETH, ID] = [hexOf(0xb1), hexOf(0xb2), hexOf(0xb3, 32)];
/** A pool of three tokens, and a pool of two tokens that both have the symbol of WETH. */
const [THREE, WETHS] = [hexOf(0xb4), hexOf(0xb5)];
const [ASH, BAY, ELM] = [hexOf(0xa011), hexOf(0xa012), hexOf(0xa013)];
/** A pool that is also a token, and busier pools of this token. */
const SHARES = hexOf(0xb6);
const OF_SHARES = [1, 2, 3].map((each) => hexOf(0xb60 + each));

const BLOCK = 1;
const token = (address: Hex, symbol: string | null, name: string | null, ordinal: number) =>
  tokenRow(address, [BLOCK, ordinal], { token_symbol: symbol, token_name: name });

const pool = (address: Hex, tokens: Hex[], ordinal: number) =>
  poolRow(address, tokens, [BLOCK, ordinal], {
    block_number_created: BLOCK,
    timestamp_created: NOW - 30 * DAY,
  });

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([]);
  const trade = (of: Hex, at: number, usd: number, more = {}) => ({ token: of, at, price: 2, usd, ...more });
  const swap = (one: [Hex, number], other: [Hex, number], more: object) =>
    [one, other].map(([of, usd]) => trade(of, NOW - 30, usd, { pool: THREE, ...more }));
  await commitTrades(
    market.store,
    [
      trade(OLD_PEPE, NOW - 3 * DAY, 9_000, { pool: hexOf(0xb9) }),
      trade(PEPES, NOW - 60, 500, { pool: PEPES_WETH }),
      trade(PEPE, NOW - 50, 100, { pool: PEPE_WETH, logIndex: 0 }),
      trade(WETH, NOW - 50, 120, { pool: PEPE_WETH, logIndex: 0 }),
      ...swap([ASH, 100], [BAY, 90], { logIndex: 0 }),
      ...swap([BAY, 200], [ELM, 210], { logIndex: 1 }),
      ...swap([ASH, 50], [ELM, 50], { logIndex: 2, robust: null }),
      ...OF_SHARES.map((of) => trade(SHARES, NOW - 20, 1, { pool: of })),
      // Wash trading at prices that the rule for outliers rejects.
      trade(FAKE_WETH, NOW - 40, 1e9, { robust: null, pool: hexOf(0xb8) }),
      trade(WETH, NOW, 50, { pool: ID }),
    ],
    {
      firstBlock: BLOCK,
      rows: {
        token_metadata: [
          token(WETH, "WETH", "Wrapped Ether", 0),
          token(PEPE, "PEPE", "Pepe", 1),
          token(PEPES, "PEPES", "Many Pepes", 2),
          token(OLD_PEPE, "pepe", "The old one's 100% 'Pépé'", 3),
          token(FAKE_WETH, "WETH", "Wrapped Ether", 4),
          token(LINKED, "PEPEGIFT", "claim at pepe-gift.com", 5),
          token(hexOf(0xa0ff), null, null, 6),
          ...[ASH, BAY, ELM].map((each, i) => token(each, `TREE${i}`, `Tree ${i}`, 11 + i)),
          token(SHARES, "SHARES", "Shares of a pool", 14),
        ],
        pool_metadata: [
          pool(PEPE_WETH, [PEPE, WETH], 7),
          pool(PEPES_WETH, [PEPES, WETH], 8),
          pool(hexOf(0xb8), [FAKE_WETH, PEPE], 9),
          pool(ID, [WETH, hexOf(0xa0ff)], 10),
          pool(THREE, [ASH, BAY, ELM], 15),
          pool(WETHS, [FAKE_WETH, WETH], 16),
          pool(SHARES, [FAKE_WETH, ASH], 17),
          ...OF_SHARES.map((each, i) => pool(each, [SHARES, ASH], 18 + i)),
        ],
      },
    },
  );
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

async function found(query: string, more: Record<string, string> = {}) {
  const { status, body } = await get(app, PATH, { query, ...more });
  expect([status, body.error]).toEqual([200, undefined]);
  return {
    tokens: body.tokens.map((one: { token_address: Hex }) => one.token_address),
    pools: body.pools.map((one: { pool_address: Hex }) => one.pool_address),
    hidden: body.hidden_spam,
  };
}

describe("GET /v1/search", () => {
  it("lists exact symbols first, traded before untraded, then those that begin with the text", async () => {
    expect((await found("pepe")).tokens).toEqual([PEPE, OLD_PEPE, PEPES]);
    expect((await found("PEPE", { size: "2" })).tokens).toEqual([PEPE, OLD_PEPE]);
    expect((await found("epe")).tokens).toEqual([PEPES, PEPE, OLD_PEPE]);
  });

  it("hides spam unless it is requested, and counts it", async () => {
    expect(await found("weth")).toMatchObject({ tokens: [WETH], hidden: 4 });
    const all = await found("weth", { show_spam: "true" });
    expect(all).toMatchObject({ tokens: [WETH, FAKE_WETH], hidden: 0 });
    const { body } = await get(app, PATH, { query: "pepegift", show_spam: "true" });
    expect(body.tokens[0]).toMatchObject({
      token_address: LINKED,
      spam_reasons: "no_accepted_trade,link_in_name",
    });
  });

  it("finds a wrapped coin by the symbol of the coin", async () => {
    expect((await found("ETH")).tokens[0]).toBe(WETH);
  });

  it("finds tokens and pools by the start of their address, or by the whole of it even if it is spam", async () => {
    expect((await found(START)).tokens).toEqual([]);
    expect((await found(START, { show_spam: "true" })).tokens).toEqual([LINKED]);
    expect((await found(LINKED)).tokens).toEqual([LINKED]);
    expect(await found(PEPE)).toMatchObject({ tokens: [PEPE], pools: [PEPE_WETH], hidden: 1 });
    expect(await found(PEPE_WETH)).toMatchObject({ tokens: [], pools: [PEPE_WETH] });
    expect((await found(ID)).pools).toEqual([ID]);
    expect((await found(ID.slice(0, 65), { kind: "pool" })).pools).toEqual([ID]);
  });

  it("finds the pools of a token and of a pair, most traded first, a swap counted once", async () => {
    expect((await found("pepe")).pools).toEqual([PEPE_WETH]);
    expect((await found("eth", { kind: "pool" })).pools).toEqual([PEPES_WETH, PEPE_WETH, ID]);
    for (const pair of ["pepe/weth", "WETH pepe", "eth - pepe"])
      expect((await found(pair)).pools).toEqual([PEPE_WETH]);
    expect((await found("weth/weth")).pools).toEqual([]);
    const { body } = await get(app, PATH, { query: "pepe/weth" });
    expect(body.pools[0]).toEqual({
      chain: "eth",
      pool_address: PEPE_WETH,
      protocol: "uniswap_v3",
      fee: 3000,
      token_addresses: [PEPE, WETH],
      token_symbols: ["PEPE", "WETH"],
      volume_24h_usd: 120,
      trades_24h: 1,
      accepted_trades_24h: 1,
      spam_reasons: null,
    });
  });

  it("counts each swap of a pool with three tokens once, with the higher value, as the screener does", async () => {
    const { body } = await get(app, PATH, { query: THREE });
    expect(body.pools).toMatchObject([{ volume_24h_usd: 360, trades_24h: 3, accepted_trades_24h: 2 }]);
    const listed = await get(app, "/v1/screener", { kind: "pool", token_address: BAY });
    expect(listed.body.pools).toMatchObject([{ pool_address: THREE, volume_usd: 360, trades: 3 }]);
  });

  it("finds the pool of a pair among busier pools of a token that matches both words", async () => {
    const weths = { kind: "pool", size: "1", show_spam: "true" };
    expect((await found("eth/weth", weths)).pools).toEqual([WETHS]);
  });

  it("finds first what a whole address names, even if it is spam and other pools are busier", async () => {
    const { tokens, pools } = await found(SHARES, { size: "1" });
    expect([tokens, pools]).toEqual([[SHARES], [SHARES]]);
    expect((await found(SHARES)).pools).toEqual([SHARES, ...OF_SHARES]);
  });

  it("lists the most traded tokens for the empty text of a chart", async () => {
    const { body } = await get(app, "/udf/search", { type: "token", limit: "2" });
    expect(body.map((one: { ticker: string }) => one.ticker)).toEqual([`eth:${PEPES}`, `eth:${BAY}`]);
  });

  it("treats the text as text", async () => {
    expect((await found("one's 100% 'PÉ")).tokens).toEqual([OLD_PEPE]);
    for (const text of ["%", "_", "') OR 1=1 --", "\\", "\u0000", "\ud800", "\\x27"])
      expect((await found(text)).tokens.length).toBeLessThanOrEqual(text === "%" ? 1 : 0);
  });

  it("answers POST alike, names the block, and validates", async () => {
    const [byGet, byPost] = [
      await get(app, PATH, { query: "pepe", chain: "eth" }),
      await post(app, PATH, { query: "pepe", chain: "eth" }),
    ];
    expect(byPost.body).toEqual(byGet.body);
    expect(byGet.headers).toMatchObject({ "x-indexed-timestamp": String(NOW), etag: expect.any(String) });
    const refusals = [
      [{}, "Missing required parameter: query"],
      [{ query: " " }, 'query: got " ", expected a string of 1 to 80 characters'],
      [{ query: "q".repeat(81) }, "expected a string of 1 to 80 characters"],
      [{ query: "a", kind: "wallet" }, "expected all, token or pool"],
      [{ query: "a", size: "51" }, "expected an integer from 1 to 50"],
      [{ query: "a", chain: "doge" }, "chain: got"],
      [{ query: "a", show_spam: "maybe" }, "expected true or false"],
    ] as const;
    for (const [given, message] of refusals) {
      const { status, body } = await get(app, PATH, given);
      expect([status, body.error]).toEqual([400, expect.stringContaining(message)]);
    }
  });
});
