import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Market } from "../../reads/support/market.ts";
import {
  DAY,
  FIRST_DAY,
  MEME,
  OTHER,
  openWashMarket,
  POOL_DAYS,
  USDC,
  WETH,
  washReason,
} from "../../reads/support/wash-market.ts";
import { createServer } from "../http/server.ts";
import { get, post } from "../support/http.ts";
import { ohlc } from "./prices/ohlc.ts";

const TOKENS = [MEME, WETH, USDC, OTHER];
const UNTIL = FIRST_DAY + 2 * DAY - 1;
/** The requested price type. It does not matter here, because every trade has a price. */
const PRICE = "price_token_usd_tick_1";
const HONEST = "AND wash_reason IS NULL";

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openWashMarket();
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

type Row = Record<string, number | string | null>;

async function sql(query: string): Promise<Row[]> {
  const { status, body } = await post(app, "/v1/sql?max_rows=100000", { query });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function answer(path: string, query: Record<string, string | number | boolean>) {
  const { status, body } = await get(app, path, query);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

describe("exclude_wash of candles", () => {
  const PATH = "/v1/price/historical/ohlc";
  const given = (token: string, interval: string) => ({
    ...{ token_address: token, interval, until_timestamp: UNTIL, from_timestamp: FIRST_DAY, order: "asc" },
    ...{ price_type: PRICE, max_size: 2500, with_volume: true },
  });
  const volumes = (data: Row[]) =>
    data.map(({ timestamp_open, volume, num_trades }) => [timestamp_open, volume, num_trades]);

  it.each(TOKENS.flatMap((token) => ["1h", "1d"].map((interval) => ({ token, interval }))))(
    "has the volume that SQL has without wash trades: $token, $interval",
    async ({ token, interval }) => {
      const all = await answer(PATH, given(token, interval));
      const honest = await answer(PATH, { ...given(token, interval), exclude_wash: true });
      const unit = interval === "1h" ? "1 HOUR" : "1 DAY";
      const rows =
        await sql(`SELECT HISTOGRAM(timestamp, INTERVAL ${unit}) AS open, SUM(amount_usd) AS usd, COUNT(*) AS trades
        FROM eth_dex_trades WHERE token_address = '${token}' ${HONEST} GROUP BY open ORDER BY open`);
      const known = new Map(
        rows.map(({ open, usd, trades }) => [Date.parse(String(open)) / 1000, [usd ?? 0, trades]]),
      );
      const opens = all.data.map(({ timestamp_open }: Row) => timestamp_open);
      expect(volumes(honest.data)).toEqual(
        opens.map((open: number) => [open, ...(known.get(open) ?? [0, 0])]),
      );
      const prices = (data: Row[]) => data.map(({ volume: _, num_trades: __, ...rest }) => rest);
      expect(prices(honest.data)).toEqual(prices(all.data));
      expect(await answer(PATH, { ...given(token, interval), exclude_wash: false })).toEqual(all);
    },
  );

  it("leaves out the whole day of a pool, whichever hours the candles show", async () => {
    const { pool } =
      POOL_DAYS.find((one) => one.day === 1 && washReason(one) !== null) ?? expect.fail("no wash trades");
    const noon = FIRST_DAY + 1.5 * DAY;
    const query = { ...given(MEME, "1h"), pool_address: pool, from_timestamp: noon };
    const traded = (data: Row[]) => data.reduce((sum, { num_trades }) => sum + Number(num_trades), 0);
    expect(traded((await answer(PATH, query)).data)).toBeGreaterThan(0);
    expect(traded((await answer(PATH, { ...query, exclude_wash: true })).data)).toBe(0);
  });

  it("is settled once the last day is over, because a verdict is on a whole day", () => {
    const until = FIRST_DAY + 3_600;
    const settledAt = (exclude_wash: boolean, interval: number) =>
      ohlc.settledAt?.({ interval, until_timestamp: until, exclude_wash } as never, FIRST_DAY + 9 * DAY);
    expect([settledAt(false, 60), settledAt(true, 60)]).toEqual([until + 59, FIRST_DAY + DAY - 1]);
    expect([settledAt(false, DAY), settledAt(true, DAY)]).toEqual(Array(2).fill(FIRST_DAY + DAY - 1));
  });

  it("has no effect without volume", async () => {
    const query = { ...given(MEME, "1h"), with_volume: false };
    expect(await answer(PATH, { ...query, exclude_wash: true })).toEqual(await answer(PATH, query));
  });
});

describe("exclude_wash of ticks", () => {
  it("leaves out the ticks that SQL leaves out", async () => {
    for (const token of TOKENS) {
      const query = { token_address: token, until_timestamp: UNTIL, price_type: PRICE, size: 100_000 };
      const all = await answer("/v1/price/historical/tick", query);
      const honest = await answer("/v1/price/historical/tick", { ...query, exclude_wash: true });
      const count = async (more: string) => {
        const [row] = await sql(`SELECT COUNT(*) AS n, SUM(block_number) AS blocks FROM eth_dex_trades
          WHERE token_address = '${token}' AND ${PRICE} IS NOT NULL ${more}`);
        return [row?.n, row?.blocks];
      };
      const counted = (data: Row[]) => [
        data.length,
        data.reduce((sum, { block_number }) => sum + Number(block_number), 0),
      ];
      expect(counted(all.data)).toEqual(await count(""));
      expect(counted(honest.data)).toEqual(await count(HONEST));
    }
  });
});

describe("exclude_wash of a few ticks", () => {
  it("judges the newest day only if it has enough of them", async () => {
    const statements: string[] = [];
    const { engine } = market;
    const watched = await createServer({
      chains: market.chains,
      engine: {
        query: (statement, limits) => engine.query(noted(statements, statement), limits),
        stream: (statement, ...given) => engine.stream(noted(statements, statement), ...given),
        execute: (statement) => engine.execute(statement),
        insert: (...given) => engine.insert(...given),
        close: () => Promise.resolve(),
      },
    });
    const given = { token_address: MEME, price_type: PRICE, from_timestamp: 0, until_timestamp: UNTIL };
    const query = { ...given, size: 5, exclude_wash: true };
    const { body } = await get(watched, "/v1/price/historical/tick", query);
    await watched.close();
    const { timestamp = 0 } = (await market.store.committed()) ?? {};
    const until = Math.min(UNTIL, timestamp);
    const reads = (days: number) => statements.some((one) => one.includes(String(until - days * DAY)));
    expect([body.data.length, reads(1), reads(7), reads(30)]).toEqual([5, true, false, false]);
  });

  function noted<S extends string>(statements: string[], statement: S): S {
    statements.push(statement);
    return statement;
  }
});

describe("exclude_wash of the top trades", () => {
  it.each([
    ["token_address", "timestamp"],
    ["pool_address", "amount_usd"],
    ["trader_address", "timestamp"],
  ])("leaves out the records that SQL leaves out, by %s in the order of %s", async (groupby, sortby) => {
    const groups = await sql(
      `SELECT ${groupby} AS value FROM eth_dex_trades GROUP BY value ORDER BY value LIMIT 20`,
    );
    const eq = groups.map(({ value }) => String(value));
    const path = "/v1/topk-api/dex-trades";
    const { body } = await post(app, path, { groupby, eq, sortby, size: 3, exclude_wash: true });
    const all = await post(app, path, { groupby, eq, sortby, size: 3 });
    for (const value of eq) {
      const rows = await sql(`SELECT record_index FROM eth_dex_trades WHERE ${groupby} = '${value}' ${HONEST}
        ORDER BY ${sortby} DESC NULLS LAST, record_index DESC LIMIT 3`);
      expect(body[value].map(({ record_index }: Row) => record_index)).toEqual(
        rows.map((row) => row.record_index),
      );
    }
    expect(body).not.toEqual(all.body);
  });

  it("is a parameter of trades only", async () => {
    const transfers = { groupby: "token_address", eq: [MEME], size: 3 };
    const { status } = await post(app, "/v1/topk-api/erc20", { ...transfers, exclude_wash: "maybe" });
    expect(status).toBe(200);
    const trades = await post(app, "/v1/topk-api/dex-trades", { ...transfers, exclude_wash: "maybe" });
    expect([trades.status, trades.body.error]).toEqual([400, expect.stringContaining("exclude_wash")]);
  });
});
