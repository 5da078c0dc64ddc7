import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seeded } from "../../../../test/support/seeded.ts";
import type { Sql } from "../../../engine-sql/sql-text.ts";
import { hexOf } from "../../../reads/support/market.ts";
import {
  isKnown,
  openPoolMarket,
  POOLS,
  type PoolMarket,
  type RandomPool,
} from "../../../reads/support/random-pools.ts";
import { isVaultFamily } from "../../../reads/support/vault-logs.ts";
import { recordIndexOf } from "../../../schema/record-index.ts";
import { SINGLETON_EVENTS } from "../../../schema/singleton-events.ts";
import { PRICE_TYPES } from "../../../schema/trade-price.ts";
import { createServer } from "../../http/server.ts";
import { get, post } from "../../support/http.ts";
import { poolTvlHistory } from "./pool-tvl-history.ts";

const PATH = "/v1/market-api/pool-tvl-history";
const BATCH = "/v1/market-api/batch-latest-pool-tvl";
const SECONDS = { "7m": 420, "1h": 3600, "5h": 18_000, "1d": 86_400, "9d": 777_600 };
/** Number of rounds; default: one for each price type. For more, set QUARRY_ROUNDS=1000. */
const ROUNDS = Number(process.env.QUARRY_ROUNDS ?? PRICE_TYPES.length);
const [PAIR, SINGLE] = [POOLS[0]?.pool ?? hexOf(0), POOLS[5]?.pool ?? hexOf(0)];

let chain: PoolMarket;
let app: FastifyInstance;

beforeAll(async () => {
  chain = await openPoolMarket();
  app = await createServer(chain.market);
});

afterAll(async () => {
  await app.close();
  await chain.market.close();
});

const isId = (pool: string) => pool.length === 66;

interface Point extends Record<string, number | null> {
  as_of_timestamp: number;
}

async function history(body: object): Promise<{ data: Point[]; [field: string]: unknown }> {
  const response = await post(app, PATH, body);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return response.body;
}

interface Round {
  price_type: string;
  interval: keyof typeof SECONDS;
  from_timestamp: number;
  until_timestamp: number;
  max_size: number;
  order: "asc" | "desc";
}

function rounds(): Round[] {
  const random = seeded(11);
  const one = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  return Array.from({ length: ROUNDS }, (_, round) => {
    const [from = 0, until = 0] = [one(chain.times), one(chain.times)].sort((a, b) => a - b);
    return {
      price_type: PRICE_TYPES[round % PRICE_TYPES.length] ?? PRICE_TYPES[0],
      interval: one(Object.keys(SECONDS) as (keyof typeof SECONDS)[]),
      from_timestamp: random() < 0.3 ? 0 : from - one([0, 1, 1000]),
      until_timestamp: random() < 0.3 ? until + 10 ** 9 : until + one([0, 1]),
      max_size: 2 + Math.floor(random() * 3),
      order: one(["asc", "desc"] as const),
    };
  });
}

/** Computes the times of the points by definition, independently of the implementation. */
function timesOf({ born }: RandomPool, round: Round): number[] {
  const { interval, from_timestamp, until_timestamp, max_size, order } = round;
  const [first = 0, last = 0] = [chain.times[born ?? 0], chain.times.at(-1)];
  const all: number[] = [];
  const step = SECONDS[interval];
  for (let at = first - (first % step); at <= Math.min(until_timestamp, last); at += step)
    if (at >= from_timestamp && at >= first) all.push(at);
  return order === "asc" ? all.slice(0, max_size) : all.reverse().slice(0, max_size);
}

describe("pool-tvl-history", () => {
  const patient = { timeout: ROUNDS * 20_000 };
  it("equals batch-latest-pool-tvl at each point", patient, async () => {
    const seen = { points: 0, changes: 0, values: 0 };
    for (const round of rounds()) {
      const atOnce = new Map<number, Record<string, unknown>[]>();
      for (const [place, pool] of POOLS.entries()) {
        const { data, ...head } = await history({ ...round, pool_address: pool.pool });
        expect(data.map((point) => point.as_of_timestamp)).toEqual(timesOf(pool, round));
        for (const { as_of_timestamp: timestamp, ...point } of data) {
          const { price_type } = round;
          const request = { pool_address: POOLS.map((one) => one.pool), price_type, timestamp };
          if (!atOnce.has(timestamp)) atOnce.set(timestamp, (await post(app, BATCH, request)).body.data);
          expect({ round, timestamp, ...head, ...point }).toEqual({
            ...{ round, timestamp },
            ...atOnce.get(timestamp)?.[place],
          });
          seen.points += 1;
          seen.values += Number(point.tvl_usd !== null);
        }
        seen.changes += new Set(data.map((point) => point.tvl_usd)).size;
      }
    }
    expect(seen.points).toBeGreaterThan(150);
    expect(seen.values).toBeGreaterThan(60);
    expect(seen.changes).toBeGreaterThan(100);
  });

  it("has up to 1,000 points, newest first by default, by GET and POST", async () => {
    const query = { pool_address: PAIR, interval: "10m", max_size: 1000 };
    const { data } = await history(query);
    expect(data).toHaveLength(1000);
    expect(data[0]?.as_of_timestamp).toBe((chain.times.at(-1) ?? 0) - ((chain.times.at(-1) ?? 0) % 600));
    expect((await get(app, PATH, query)).body.data).toEqual(data);
    expect((await post(app, PATH, { ...query, max_size: 1001 })).status).toBe(400);
  });

  it("reads all points with one statement, and those of a pool in a shared contract with a few", async () => {
    for (const { pool, family, born } of POOLS.filter(isKnown)) {
      const statements = async (body: object) => {
        const { engine } = chain.market;
        const query = engine.query.bind(engine);
        const texts: string[] = [];
        engine.query = (...given) => {
          texts.push(given[0]);
          return query(...given);
        };
        const { data } = await history({ pool_address: pool, ...body });
        engine.query = query;
        const series = texts.filter((text) => /GROUP BY (\w+, )?point/.test(text)).length;
        return { count: texts.length, series, points: data.length };
      };
      const from_timestamp = chain.times[born ?? 0];
      const one = await statements({ interval: "1m", from_timestamp, order: "asc", max_size: 1 });
      const many = await statements({ interval: "1m", from_timestamp, order: "asc", max_size: 1000 });
      expect([one.points, many.points]).toEqual([1, 1000]);
      expect(many.count).toBeLessThanOrEqual(one.count);
      // For a singleton pool, the blocks of the points are also read; for a pool in a Vault, the trades.
      expect(many.series).toBe(isId(pool) || isVaultFamily(family) ? 2 : 1);
    }
  });

  it("has no data for an unknown pool, and rejects a period that ends before it starts", async () => {
    const nothing = { token_0_address: null, token_1_address: null, data: [] };
    expect(await history({ pool_address: hexOf(0xff) })).toEqual({ pool_address: hexOf(0xff), ...nothing });
    const period = { pool_address: PAIR, from_timestamp: 20, until_timestamp: 10 };
    expect((await post(app, PATH, period)).body.error).toContain("from_timestamp");
    expect((await history({ pool_address: PAIR, until_timestamp: 10 })).data).toEqual([]);
  });

  it("rejects a Uniswap V4 pool whose liquidity changed at too many ticks", async () => {
    const word = (value: string) => `leftPad(reverse(reinterpretAsString(${value})), 32, '\\0')`;
    const data = [2, 3].map((first) => word(`toUInt64(2 * number + ${first})`));
    await chain.market.engine.execute(
      `INSERT INTO eth_singleton_logs SELECT unhex('${SINGLE.slice(2)}'), unhex('${SINGLETON_EVENTS.modifyLiquidity.slice(2)}'), ${recordIndexOf("wide", 1020, 50)} + number, 1020, concat(${data}, ${word("toUInt64(7)")}, repeat('\\0', 32)) FROM numbers(100000)` as Sql,
    );
    const { status, body, headers } = await post(app, PATH, { pool_address: SINGLE });
    expect([status, headers["x-error-code"]]).toEqual([400, "too-large"]);
    expect(JSON.stringify(body)).toContain("more than 200000 ticks");
  });

  it("answers its own example in the declared form", () => {
    expect(poolTvlHistory.answer.safeParse(poolTvlHistory.example.answer).success).toBe(true);
  });
});
