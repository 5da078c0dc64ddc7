import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sql } from "../../../engine-sql/sql-text.ts";
import type { Hex } from "../../../lib/hex.ts";
import { ETH, hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import { poolRow } from "../../../reads/support/metadata-rows.ts";
import { recordIndexOf } from "../../../schema/record-index.ts";
import { SINGLETON_EVENTS } from "../../../schema/singleton-events.ts";
import type { RowOf } from "../../../schema/tables.ts";
import { PRICE_TYPES } from "../../../schema/trade-price.ts";
import { createServer } from "../../http/server.ts";
import { get, post } from "../../support/http.ts";
import { batchLatestPoolTvl } from "./batch-latest-pool-tvl.ts";

const PATH = "/v1/market-api/batch-latest-pool-tvl";
const START = 1_704_412_800;
const DAY = 86_400;
/** The last block of the trades, in which the pools receive their tokens, and a time a day later. */
const [BLOCK, NOW] = [1003, START + 100 * DAY];
const [TOKEN, OTHER, UNPRICED] = [hexOf(0xe1), hexOf(0xe2), hexOf(0xe3)];
const COIN = ETH.wrappedNative;
const [PAIR, POOL, BORN, OLD, BROKEN] = [0xb1, 0xb2, 0xb3, 0xb4, 0xb5].map((number) => hexOf(number)) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
];
/** Two pools of three tokens. One token of the second is unknown. */
const [THREE, PARTLY] = [hexOf(0xb8), hexOf(0xb9)];
/** A pool of wrapped tokens, with a trade in the tokens that they wrap. */
const BOOSTED = hexOf(0xba);
/** Pools of Uniswap V4: one created in the last block, and an older one. */
const [SINGLE, OLD_SINGLE] = [hexOf(0xb6, 32), hexOf(0xb7, 32)];
const SYNC: Hex = "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1";
const UNIT = 10n ** 18n;

let market: Market;
let app: FastifyInstance;

const place = { block_number: BLOCK, timestamp: NOW - DAY };

const pool = (address: Hex, ordinal: number, more: Partial<RowOf<"pool_metadata">>) =>
  poolRow(address, [TOKEN, COIN], [BLOCK, ordinal], { protocol: "uniswap", ...more });

function balance(wallet: Hex, token: Hex, [base, ordinal]: [bigint | null, number]): RowOf<"token_balances"> {
  return {
    wallet_address: wallet,
    token_address: token,
    token_symbol: null,
    balance_base: base,
    balance_token: null,
    ...place,
    record_index: recordIndexOf("wide", BLOCK, ordinal),
  };
}

function sync(block: number, ordinal: number, reserves: [bigint, bigint]): RowOf<"logs"> {
  const words = reserves.map((reserve) => (reserve * UNIT).toString(16).padStart(64, "0"));
  return {
    ...place,
    timestamp: block === BLOCK ? NOW - DAY : START,
    address: PAIR,
    block_hash: hexOf(block, 32),
    block_number: block,
    data: `0x${words.join("")}`,
    log_index: ordinal,
    record_index: recordIndexOf("wide", block, ordinal),
    topic_0: SYNC,
    topic_1: null,
    topic_2: null,
    topic_3: null,
    transaction_hash: hexOf(7, 32),
    transaction_index: 0,
  };
}

/** Makes a log: Initialize at a price of 1, or a position of 10^18 from tick -60 to 60. */
function singletonLog(
  event: keyof typeof SINGLETON_EVENTS,
  pool: Hex,
  ordinal: number,
): RowOf<"singleton_logs"> {
  const words = event === "initialize" ? [0n, 60n, 0n, 2n ** 96n, 0n] : [-60n, 60n, UNIT, 0n];
  const data = words.map((value) => BigInt.asUintN(256, value).toString(16).padStart(64, "0"));
  return {
    topic_1: pool,
    topic_0: SINGLETON_EVENTS[event],
    record_index: recordIndexOf("wide", BLOCK, ordinal),
    block_number: BLOCK,
    data: `0x${data.join("")}`,
  };
}

beforeAll(async () => {
  market = await openMarket(
    [
      { token: TOKEN, at: START, price: 3, pool: PAIR },
      { token: COIN, at: START, price: 2000, pool: POOL },
      { token: TOKEN, at: START + 50 * DAY, price: 4, pool: PAIR },
      { token: OTHER, at: START + 50 * DAY, price: 1, pool: hexOf(0xbb) },
      { token: UNPRICED, at: START + 50 * DAY, price: null, pool: BOOSTED },
      { token: TOKEN, at: NOW - 2 * DAY, price: 5, pool: POOL },
    ],
    { named: [TOKEN, OTHER, COIN, UNPRICED] },
  );
  await market.store.commit({
    firstBlock: BLOCK,
    lastBlock: { number: BLOCK, hash: hexOf(BLOCK, 32), timestamp: NOW - DAY },
    rows: {
      logs: [sync(BLOCK, 0, [1n, 1n]), sync(BLOCK, 1, [30n, 2n])],
      pool_metadata: [
        pool(PAIR, 0, { family: "uniswap-v2" }),
        pool(POOL, 1, {}),
        pool(BORN, 2, { block_number_created: BLOCK, timestamp_created: NOW - DAY }),
        pool(OLD, 3, {}),
        pool(BROKEN, 4, { token_0_address: UNPRICED, token_addresses: `${UNPRICED},${COIN}` }),
        pool(SINGLE, 5, {
          family: "uniswap-v4",
          block_number_created: BLOCK,
          timestamp_created: NOW - DAY,
        }),
        pool(OLD_SINGLE, 6, { family: "uniswap-v4" }),
        pool(THREE, 7, { family: "curve-stable", token_addresses: `${TOKEN},${COIN},${OTHER}` }),
        pool(BOOSTED, 9, { family: "balancer-v3" }),
        pool(PARTLY, 8, { family: "curve-stable", token_addresses: `${TOKEN},${COIN},` }),
      ],
      singleton_logs: [SINGLE, OLD_SINGLE].map((pool, i) => singletonLog("initialize", pool, i)),
      token_balances: [
        balance(PAIR, TOKEN, [77n * UNIT, 0]),
        balance(POOL, TOKEN, [UNIT / 2n, 1]),
        balance(POOL, COIN, [10n * UNIT, 2]),
        balance(OLD, TOKEN, [null, 3]),
        balance(BROKEN, UNPRICED, [6n * UNIT, 4]),
        balance(BROKEN, COIN, [UNIT, 5]),
        ...[THREE, PARTLY].flatMap((pool, i) =>
          [TOKEN, COIN, OTHER].map((token, j) => balance(pool, token, [UNIT, 6 + 3 * i + j])),
        ),
      ],
    },
  });
  app = await createServer(market);
});

afterAll(async () => {
  await app.close();
  await market.close();
});

const request = async (pools: readonly Hex[], more: object = {}) =>
  (await post(app, PATH, { pool_address: pools, ...more })).body.data;

describe("batch-latest-pool-tvl", () => {
  it("has a pair's reserves from its last Sync, the prices in force, and the newest trade", async () => {
    expect(await request([PAIR])).toEqual([
      {
        pool_address: PAIR,
        block_number: 1001,
        timestamp: START + 50 * DAY,
        token_0_address: TOKEN,
        token_1_address: COIN,
        token_0_balance: 30,
        token_1_balance: 2,
        token_0_price_usd: 5,
        token_1_price_usd: 2000,
        token_0_balance_usd: 150,
        token_1_balance_usd: 4000,
        tvl_usd: 4150,
        liquidity_usd: 4000,
      },
    ]);
  });

  it("has the balances of other pools, zero for a new one, and null where unknown", async () => {
    const [pool, born, old, broken, unknown] = await request([POOL, BORN, OLD, BROKEN, hexOf(0xff, 32)]);
    expect(pool).toMatchObject({ token_0_balance: 0.5, token_1_balance: 10, tvl_usd: 20_002.5 });
    expect(born).toMatchObject({ token_0_balance: 0, token_1_balance: 0, tvl_usd: 0, block_number: null });
    expect(old).toMatchObject({ token_0_balance: null, token_1_balance: null, token_1_price_usd: 2000 });
    expect(old).toMatchObject({ tvl_usd: null, liquidity_usd: null, token_0_balance_usd: null });
    expect(broken).toMatchObject({ token_0_balance: 6, token_0_price_usd: null, token_0_balance_usd: null });
    expect(broken).toMatchObject({ tvl_usd: null, liquidity_usd: 2000 });
    const { pool_address, ...rest } = unknown;
    expect([pool_address, ...new Set(Object.values(rest))]).toEqual([hexOf(0xff, 32), null]);
  });

  it("adds up all tokens of a pool with several, and is null if one of them is not known", async () => {
    const [three, partly] = await request([THREE, PARTLY]);
    expect(three).toMatchObject({ token_0_balance_usd: 5, token_1_balance_usd: 2000, tvl_usd: 2006 });
    expect(three.liquidity_usd).toBe(2000);
    expect(partly).toMatchObject({ token_0_balance_usd: 5, token_1_balance_usd: 2000, tvl_usd: null });
  });

  it("has the newest trade of a pool whose trades may have other tokens than its own", async () => {
    const newest = { block_number: 1001, timestamp: START + 50 * DAY };
    expect(await request([PAIR, BOOSTED])).toMatchObject([newest, { pool_address: BOOSTED, ...newest }]);
    const period = { from_timestamp: START + 49 * DAY, until_timestamp: START + 51 * DAY };
    const { data } = (
      await post(app, "/v1/market-api/pool-tvl-history", { pool_address: BOOSTED, interval: "1d", ...period })
    ).body;
    expect(data.map(({ block_number }: { block_number: number | null }) => block_number)).toContain(1001);
  });

  it("reports the past: its prices and trades, and no balance before a pool was created", async () => {
    const [pair, born] = await request([PAIR, BORN], { timestamp: START + 60 * DAY });
    expect(pair).toMatchObject({ block_number: 1001, token_0_price_usd: 4, token_0_balance: null });
    expect(born).toMatchObject({ token_0_price_usd: 4, token_0_balance: null });
    expect((await request([POOL], { timestamp: START - 1 }))[0]).toMatchObject({
      token_0_address: TOKEN,
      block_number: null,
      token_0_price_usd: null,
      token_0_balance: null,
    });
  });

  it.each(PRICE_TYPES)(
    "uses the newest %s at any later time, even beyond the engine's range",
    async (type) => {
      const newest = await request([POOL, PAIR], { price_type: type });
      for (const timestamp of [NOW + DAY, 2 ** 32, 2 ** 32 + START, NOW * 1000, Number.MAX_SAFE_INTEGER]) {
        expect(await request([POOL, PAIR], { price_type: type, timestamp })).toEqual(newest);
      }
    },
  );

  it.each(PRICE_TYPES)("uses prices of the type %s", async (price_type) => {
    const [pool] = await request([POOL], { price_type });
    const column = `max(${price_type})` as never;
    const [row] = await market.engine.query<{ price: number | null }>(
      `SELECT argMax(${price_type}, record_index) AS price, ${column} FROM eth_dex_trades WHERE token_address = unhex('${TOKEN.slice(2)}')` as never,
    );
    expect(pool.token_0_price_usd).toBe(row?.price);
  });

  it("has the amounts of the positions of a Uniswap V4 pool, when all of them are known", async () => {
    const [bare, old] = await request([SINGLE, OLD_SINGLE]);
    expect(bare).toMatchObject({ token_0_balance: 0, token_1_balance: 0, tvl_usd: 0 });
    expect(old).toMatchObject({ token_0_address: TOKEN, token_0_balance: null, tvl_usd: null });
    const position = singletonLog("modifyLiquidity", SINGLE, 2);
    await market.engine.execute(
      `INSERT INTO eth_singleton_logs SELECT unhex('${SINGLE.slice(2)}'), unhex('${position.topic_0.slice(2)}'), ${position.record_index}, ${BLOCK}, unhex('${position.data.slice(2)}')` as Sql,
    );
    const [held] = await request([SINGLE]);
    // 10^18 (1 - 1.0001^-30)
    expect(held).toMatchObject({
      token_0_balance: 0.00299535495591078,
      token_1_balance: 0.00299535495591078,
    });
    expect((await request([SINGLE], { timestamp: START + 60 * DAY }))[0]).toMatchObject({
      token_0_balance: null,
    });
  });

  it("rejects Uniswap V4 pools whose liquidity spans too many ticks", async () => {
    const word = (value: string) => `leftPad(reverse(reinterpretAsString(${value})), 32, '\\0')`;
    const data = [2, 3].map((first) => word(`toUInt64(2 * number + ${first})`));
    await market.engine.execute(
      `INSERT INTO eth_singleton_logs SELECT unhex('${SINGLE.slice(2)}'), unhex('${SINGLETON_EVENTS.modifyLiquidity.slice(2)}'), ${recordIndexOf("wide", BLOCK, 3)} + number, ${BLOCK}, concat(${data}, ${word("toUInt64(7)")}, repeat('\\0', 32)) FROM numbers(100000)` as Sql,
    );
    const { status, body, headers } = await post(app, PATH, { pool_address: [PAIR, SINGLE] });
    expect([status, headers["x-error-code"]]).toEqual([400, "too-large"]);
    expect(JSON.stringify(body)).toContain("more than 200000 ticks. Request fewer pools");
  });

  it("accepts 25 pools by GET and 1,000 by POST, and no more", async () => {
    const list = (count: number) => Array.from({ length: count }, (_, i) => hexOf(i + 1));
    const byGet = (count: number) => get(app, `${PATH}?pool_address=${list(count)}`);
    expect((await byGet(25)).body.data).toHaveLength(25);
    expect((await byGet(26)).status).toBe(400);
    expect(await request(list(1000))).toHaveLength(1000);
    expect((await post(app, PATH, { pool_address: list(1001) })).status).toBe(400);
  });

  it("answers its own example in the declared form", () => {
    expect(batchLatestPoolTvl.answer.safeParse(batchLatestPoolTvl.example.answer).success).toBe(true);
  });
});
