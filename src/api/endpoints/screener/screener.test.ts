import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex } from "../../../lib/hex.ts";
import { MAX_CANDIDATES } from "../../../reads/screener/screen-query.ts";
import { commitTrades, ETH, hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import { balanceRow, poolRow, tokenRow } from "../../../reads/support/metadata-rows.ts";
import { WASH } from "../../../sql/verdicts/wash.ts";
import { openChainStore } from "../../../storage/clickhouse-store.ts";
import type { ChainStore } from "../../../storage/store.ts";
import { createServer } from "../../http/server.ts";
import { get, post } from "../../support/http.ts";

const PATH = "/v1/screener";
const HOUR = 3_600;
const DAY = 24 * HOUR;
const NOW = 1_704_500_000;
const WETH = ETH.wrappedNative;
const [PEPE, OAK, NEWBORN, FAKE] = [2, 3, 4, 5].map((each) => hexOf(0xa000 + each)) as [Hex, Hex, Hex, Hex];
const [PEPE_WETH, OAK_WETH, OAK_PEPE, NEW_POOL, FAKE_POOL, QUIET_POOL] = [1, 2, 3, 4, 5, 6].map((each) =>
  hexOf(0xb0 + each, each === 3 ? 32 : 20),
) as [Hex, Hex, Hex, Hex, Hex, Hex];
const BLOCK = 1;

const token = (address: Hex, symbol: string, block: number, ordinal: number) =>
  tokenRow(address, [block, ordinal], { token_symbol: symbol, token_name: `${symbol} token` });

const pool = (
  address: Hex,
  tokens: Hex[],
  { at, ordinal, protocol = "uniswap_v3" }: { at: number | null; ordinal: number; protocol?: string },
) =>
  poolRow(address, tokens, [BLOCK, ordinal], {
    ...{ block_number_created: at === null ? null : BLOCK, timestamp_created: at },
    ...{ protocol, family: protocol.replace("_", "-") },
  });

const held = (owner: Hex, of: Hex, units: number, ordinal: number) =>
  balanceRow([owner, of], units, [BLOCK, ordinal], NOW - 2 * DAY);

const deployment = (protocol: string) => ({
  ...{ protocol, family: "uniswap-v3" as const, factory: hexOf(0xfa) },
  ...{ initCodeHash: null, fee: null, firstBlock: 0 },
});

let market: Market;
let app: FastifyInstance;
/** A service with two more chains: one with wash trades, and one without a block. */
let allChains: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([]);
  const trader = (number: number) => ({ trader: hexOf(0xc00 + number) });
  await commitTrades(
    market.store,
    [
      // This trade is before the one-day window. Its price is in force at the start of the window.
      { token: PEPE, at: NOW - 2 * DAY, price: 1, usd: 5_000, pool: PEPE_WETH },
      { token: PEPE, at: NOW - 10 * HOUR, price: 2, usd: 300, pool: PEPE_WETH, ...trader(1) },
      { token: PEPE, at: NOW - 9 * HOUR, price: 3, usd: 100, pool: PEPE_WETH, ...trader(2) },
      { token: PEPE, at: NOW - 8 * HOUR, price: 50, robust: null, usd: 50, pool: PEPE_WETH, ...trader(1) },
      {
        token: OAK,
        at: NOW - 7 * HOUR,
        price: 8,
        usd: 1_000,
        pool: OAK_WETH,
        protocol: "sushi",
        ...trader(3),
      },
      { token: OAK, at: NOW - 100, price: 4, usd: 200, pool: OAK_WETH, protocol: "sushi", ...trader(3) },
      // Wash trading at prices that the rule for outliers rejects.
      { token: FAKE, at: NOW - 50, price: 1, robust: null, usd: 1e6, pool: FAKE_POOL, ...trader(4) },
      { token: WETH, at: NOW, price: 2_000, usd: 10, pool: PEPE_WETH, ...trader(5) },
    ],
    {
      firstBlock: BLOCK,
      rows: {
        token_metadata: [
          token(WETH, "WETH", BLOCK, 0),
          token(PEPE, "PEPE", BLOCK, 1),
          token(OAK, "OAK", BLOCK + 4, 2),
          token(NEWBORN, "NEW", BLOCK + 7, 3),
          token(FAKE, "WETH", BLOCK, 4),
        ],
        pool_metadata: [
          pool(PEPE_WETH, [PEPE, WETH], { at: null, ordinal: 5 }),
          pool(OAK_WETH, [WETH, OAK], { at: NOW - 7 * HOUR, ordinal: 6, protocol: "sushi" }),
          pool(OAK_PEPE, [OAK, PEPE], { at: NOW - 2 * DAY, ordinal: 7 }),
          pool(NEW_POOL, [NEWBORN, WETH], { at: NOW - 20, ordinal: 8 }),
          pool(FAKE_POOL, [FAKE, WETH], { at: NOW - 3 * DAY, ordinal: 9 }),
          pool(QUIET_POOL, [PEPE, WETH], { at: NOW - DAY, ordinal: 12 }),
        ],
        token_balances: [
          held(PEPE_WETH, PEPE, 10, 10),
          held(PEPE_WETH, WETH, 2, 11),
          held(QUIET_POOL, PEPE, 5, 12),
          held(QUIET_POOL, WETH, 1, 13),
        ],
      },
    },
  );
  const chain = { ...ETH, deployments: [deployment("uniswap_v3"), deployment("sushi")] };
  const chains = [{ chain, store: market.store }];
  app = await createServer({ ...market, chains });
  const empty = { ...ETH, name: "matic" };
  allChains = await createServer({
    ...market,
    chains: [
      ...chains,
      { chain: { ...ETH, name: "base" }, store: await commitWashTrades() },
      { chain: empty, store: await openChainStore(market.engine, empty.name) },
    ],
  });
});
afterAll(async () => {
  await allChains.close();
  await app.close();
  await market.close();
});

/** Commits trades of a trader with itself in one pool; OAK is also traded in another pool. */
async function commitWashTrades(): Promise<ChainStore> {
  const store = await openChainStore(market.engine, "base");
  const washed = (token: Hex) => ({ token, at: NOW, price: 1, usd: 100, pool: FAKE_POOL });
  const trades = Array.from({ length: WASH.minTrades }, (_, i) => washed(i % 2 === 0 ? OAK : PEPE));
  await commitTrades(store, [...trades, { token: OAK, at: NOW, price: 1, usd: 7, pool: OAK_WETH }], {
    firstBlock: BLOCK,
    named: [OAK, PEPE],
  });
  return store;
}

async function listed(given: Record<string, string> = {}) {
  const { status, body } = await get(app, PATH, given);
  expect([status, body.error]).toEqual([200, undefined]);
  const rows = given.kind === "pool" ? body.pools : body.tokens;
  return rows.map((row: Record<string, Hex>) => row.token_address ?? row.pool_address);
}

describe("GET /v1/screener", () => {
  it("lists the tokens that were traded, highest volume first, without spam", async () => {
    const { body } = await get(app, PATH);
    expect(body.tokens.map((row: { token_address: Hex }) => row.token_address)).toEqual([OAK, PEPE, WETH]);
    expect(body).toMatchObject({ pools: [], total: 3, hidden_spam: 1, hidden_wash: 0 });
    expect(body.tokens[1]).toEqual({
      chain: "eth",
      token_address: PEPE,
      token_symbol: "PEPE",
      token_name: "PEPE token",
      volume_usd: 450,
      trades: 3,
      traders: 2,
      price_usd: 3,
      price_change_pct: 200,
      pools: 1,
      main_pool_address: PEPE_WETH,
      liquidity_usd: 10 * 3 + 2 * 2_000,
      created_timestamp: NOW - 2 * DAY,
      spam_reasons: null,
    });
    expect(await listed({ show_spam: "true" })).toEqual([FAKE, OAK, PEPE, WETH]);
  });

  it("counts the trades after the start of the window", async () => {
    expect(await listed({ window: "6h" })).toEqual([OAK, WETH]);
    expect(await listed({ window: "5m", sortby: "trades", order: "asc" })).toEqual([OAK, WETH]);
    const { body } = await get(app, PATH, { window: "7d" });
    expect(body.tokens[0]).toMatchObject({ token_address: PEPE, volume_usd: 5_450, price_change_pct: 200 });
  });

  it("sorts by any figure, unknown values last", async () => {
    expect(await listed({ sortby: "price_change_pct" })).toEqual([PEPE, WETH, OAK]);
    expect(await listed({ sortby: "price_change_pct", order: "asc" })).toEqual([OAK, WETH, PEPE]);
    expect(await listed({ sortby: "traders" })).toEqual([PEPE, OAK, WETH]);
    expect(await listed({ sortby: "liquidity_usd", order: "asc" })).toEqual([PEPE, WETH, OAK]);
  });

  it("filters by every figure, both ends inclusive", async () => {
    expect(await listed({ min_volume_usd: "450" })).toEqual([OAK, PEPE]);
    expect(await listed({ max_volume_usd: "450" })).toEqual([PEPE, WETH]);
    expect(await listed({ min_trades: "2", max_trades: "2" })).toEqual([OAK]);
    expect(await listed({ min_traders: "2" })).toEqual([PEPE]);
    expect(await listed({ max_traders: "1" })).toEqual([OAK, WETH]);
    expect(await listed({ min_price_change_pct: "0" })).toEqual([PEPE, WETH]);
    expect(await listed({ max_price_change_pct: "-50" })).toEqual([OAK]);
    expect(await listed({ min_liquidity_usd: "4030" })).toEqual([PEPE, WETH]);
    expect(await listed({ max_liquidity_usd: "1e18" })).toEqual([PEPE, WETH]);
    expect(await listed({ token_address: `${PEPE},${NEWBORN}` })).toEqual([PEPE]);
    expect(await listed({ protocol: "Sushi" })).toEqual([OAK]);
  });

  it("lists pools with the price of the token that is not cash", async () => {
    const { body } = await get(app, PATH, { kind: "pool" });
    expect(body).toMatchObject({ tokens: [], total: 2, hidden_spam: 1 });
    expect(body.pools[1]).toEqual({
      chain: "eth",
      pool_address: PEPE_WETH,
      protocol: "uniswap_v3",
      fee: 3000,
      token_addresses: [PEPE, WETH],
      token_symbols: ["PEPE", "WETH"],
      priced_token_address: PEPE,
      volume_usd: 460,
      trades: 4,
      traders: 3,
      price_usd: 3,
      price_change_pct: 200,
      liquidity_usd: 4_030,
      created_timestamp: null,
      spam_reasons: null,
    });
    expect(await listed({ kind: "pool", protocol: "sushi" })).toEqual([OAK_WETH]);
    expect(await listed({ kind: "pool", token_address: WETH, show_spam: "true" })).toEqual([
      FAKE_POOL,
      OAK_WETH,
      PEPE_WETH,
    ]);
  });

  it("lists new tokens and pools, even before they are traded", async () => {
    const newest = { sortby: "created_timestamp" };
    expect(await listed(newest)).toEqual([NEWBORN, OAK, PEPE, WETH]);
    expect(await listed({ ...newest, kind: "pool" })).toEqual([
      NEW_POOL,
      OAK_WETH,
      QUIET_POOL,
      OAK_PEPE,
      PEPE_WETH,
    ]);
    expect(await listed({ max_age: "7h" })).toEqual([OAK, NEWBORN]);
    expect(await listed({ max_age: "1h", kind: "pool" })).toEqual([NEW_POOL]);
    expect(await listed({ min_age: "1h", kind: "pool" })).toEqual([OAK_WETH]);
    expect(await listed({ max_age: "365d", min_age: "8h", kind: "pool" })).toEqual([OAK_PEPE, QUIET_POOL]);
    const { body } = await get(app, PATH, { ...newest, size: "1" });
    expect(body.tokens).toMatchObject([
      { token_address: NEWBORN, volume_usd: 0, trades: 0, price_usd: null, main_pool_address: null },
    ]);
  });

  it("knows the liquidity of pools without trades", async () => {
    const recent = { kind: "pool", max_age: "1d", min_liquidity_usd: "1" };
    const { body } = await get(app, PATH, recent);
    expect(body.pools).toMatchObject([
      { pool_address: QUIET_POOL, trades: 0, volume_usd: 0, price_usd: 3, liquidity_usd: 5 * 3 + 2_000 },
    ]);
    expect(await listed({ ...recent, max_age: "365d", sortby: "liquidity_usd" })).toEqual([QUIET_POOL]);
  });

  it("has pages, and lists more of them only as long as there are rows", async () => {
    expect(await listed({ size: "2" })).toEqual([OAK, PEPE]);
    expect(await listed({ size: "2", page: "2" })).toEqual([WETH]);
    expect(await listed({ size: "2", page: "3" })).toEqual([]);
  });

  it("answers POST alike, names the block, has an ETag, and validates", async () => {
    const [byGet, byPost] = [
      await get(app, PATH, { chain: "eth", min_trades: "1" }),
      await post(app, PATH, { chain: "eth", min_trades: 1 }),
    ];
    expect(byPost.body).toEqual(byGet.body);
    expect(byGet.headers).toMatchObject({ "x-indexed-timestamp": String(NOW), etag: expect.any(String) });
    const refusals = [
      [{ kind: "wallet" }, "expected token or pool"],
      [{ window: "2h" }, "expected 5m, 1h, 6h, 24h or 7d"],
      [{ sortby: "price" }, "expected volume_usd, trades, traders, price_change_pct, liquidity_usd"],
      [{ order: "up" }, "expected desc or asc"],
      [{ size: "101" }, "expected an integer from 1 to 100"],
      [{ page: "0" }, "expected an integer from 1 to 500"],
      [{ min_volume_usd: "-1" }, "expected a number from 0 to 1000000000000000000"],
      [{ min_trades: "1.5" }, "min_trades: got"],
      [{ min_price_change_pct: "-101" }, "expected a number from -100 to"],
      [{ max_age: "1w" }, "expected <number><unit> with the unit m, h or d, from 1m to 365d"],
      [{ min_trades: "5", max_trades: "4" }, "max_trades: got 4, expected at least min_trades (5)"],
      [{ min_age: "2h", max_age: "90m" }, "max_age: got 90m, expected at least min_age (2h)"],
      [{ protocol: "doge" }, 'protocol: got "doge", expected one of sushi, uniswap_v3'],
      [{ token_address: "0x12" }, "token_address: got"],
      [{ chain: "doge" }, "chain: got"],
      [{ show_spam: "maybe" }, "expected true or false"],
    ] as const;
    for (const [given, message] of refusals) {
      const { status, body } = await get(app, PATH, given);
      expect([status, body.error]).toEqual([400, expect.stringContaining(message)]);
    }
  });
});

describe("GET /v1/screener over several chains", () => {
  it("leaves out wash trades on request, and counts the rows that have no others", async () => {
    const rowsOf = async (given: Record<string, string>) => {
      const { body } = await get(allChains, PATH, { chain: "base", ...given });
      const volumes = body.tokens.map((row: Record<string, unknown>) => [row.token_address, row.volume_usd]);
      return [...volumes, body.hidden_wash];
    };
    expect(await rowsOf({})).toEqual([[OAK, 25_007], [PEPE, 25_000], 0]);
    expect(await rowsOf({ exclude_wash: "true" })).toEqual([[OAK, 7], 1]);
    // Only rows that would otherwise be listed count as hidden.
    expect(await rowsOf({ exclude_wash: "true", min_volume_usd: "25001" })).toEqual([0]);
    expect(await rowsOf({ exclude_wash: "true", min_age: "1h" })).toEqual([0]);
    expect(await rowsOf({ exclude_wash: "true", max_age: "1h", min_trades: "1" })).toEqual([[OAK, 7], 1]);
    expect(await rowsOf({ exclude_wash: "true", max_age: "1h" })).toEqual([[OAK, 7], [PEPE, 0], 0]);
  });

  it("lists all chains in one order, without chains that have no block", async () => {
    const { body, headers } = await get(allChains, PATH);
    const order = body.tokens.map((row: Record<string, unknown>) => [row.chain, row.token_address]);
    expect(order).toEqual([
      ["base", OAK],
      ["base", PEPE],
      ["eth", OAK],
      ["eth", PEPE],
      ["eth", WETH],
    ]);
    expect([body.total, body.hidden_spam, headers.etag]).toEqual([5, 1, undefined]);
    const { status } = await get(allChains, PATH, { chain: "matic" });
    expect(status).toBe(503);
  });

  it("reports whether a chain has more tokens that meet the filters than a list can have", async () => {
    const chain = { ...ETH, name: "polygon" };
    const store = await openChainStore(market.engine, chain.name);
    const tokens = Array.from({ length: MAX_CANDIDATES + 1 }, (_, i) => hexOf(0xd000 + i));
    const trades = tokens.map((token, i) => ({ token, at: NOW, price: 1, usd: 10 + i, pool: PEPE_WETH }));
    await commitTrades(store, trades, { firstBlock: BLOCK, named: tokens });
    const crowded = await createServer({ ...market, chains: [...market.chains, { chain, store }] });
    const found = async (given: Record<string, string>) => {
      const { body } = await get(crowded, PATH, { show_spam: "true", size: "1", ...given });
      return [body.tokens[0]?.token_address, body.total, body.limited];
    };
    const here = { chain: chain.name };
    expect(await found(here)).toEqual([tokens.at(-1), MAX_CANDIDATES, true]);
    // The token with the lowest volume is missing, although it would be the first.
    expect(await found({ ...here, sortby: "price_change_pct" })).toEqual([
      tokens.at(-1),
      MAX_CANDIDATES,
      true,
    ]);
    expect(await found({ ...here, min_liquidity_usd: "1" })).toEqual([undefined, 0, true]);
    expect(await found({ ...here, min_volume_usd: "11" })).toEqual([tokens.at(-1), MAX_CANDIDATES, false]);
    expect(await found({})).toEqual([FAKE, MAX_CANDIDATES + 4, true]);
    expect(await found({ chain: "eth" })).toEqual([FAKE, 4, false]);
    await crowded.close();
  });
});
