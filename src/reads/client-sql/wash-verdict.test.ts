import { json } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { hashOf, type Market } from "../support/market.ts";
import {
  DAY,
  FIRST_DAY,
  MEME,
  OTHER,
  openWashMarket,
  POOL_DAYS,
  type PoolDay,
  USDC,
  washReason,
} from "../support/wash-market.ts";
import { prepareClientQuery, runClientQuery } from "./client-sql.ts";

let market: Market;

beforeAll(async () => {
  market = await openWashMarket();
});
afterAll(() => market.close());

async function read<T>(text: string): Promise<T[]> {
  const query = prepareClientQuery(market, {
    text,
    now: FIRST_DAY,
    format: "json",
    sqlLimits: { maxRows: 1e6 },
  });
  const collect = async (pieces: AsyncIterable<Uint8Array>) => (await json(pieces)) as T[];
  return (await runClientQuery(market, query, { limits: {}, collect })).answer.collected;
}

interface Flagged {
  pool_address: Hex;
  day: string;
  reason: string;
}

const flagged = (where: string) =>
  read<Flagged>(
    `SELECT pool_address, HISTOGRAM(timestamp, INTERVAL 1 DAY) AS day, MAX(wash_reason) AS reason FROM eth_dex_trades
      WHERE ${where} AND wash_reason IS NOT NULL GROUP BY pool_address, day`,
  );

const dayText = (day: number) => new Date((FIRST_DAY + day * DAY) * 1000).toISOString();
const sorted = (rows: Flagged[]) => rows.map((row) => `${row.pool_address} ${row.day} ${row.reason}`).sort();
const expected = (isWanted: (one: PoolDay) => boolean) =>
  POOL_DAYS.filter((one) => isWanted(one) && washReason(one) !== null)
    .map((one) => `${one.pool} ${dayText(one.day)} ${washReason(one)}`)
    .sort();

describe("the verdict on wash trades", () => {
  it("equals the rule computed a second way, for every pool and day", async () => {
    const all = expected(() => true);
    expect(sorted(await flagged("block_number > 0"))).toEqual(all);
    expect(new Set(all.map((one) => one.split(" ")[2]))).toEqual(
      new Set(["trades_per_trader", "usd_per_trader"]),
    );
  });

  it("counts the whole day of a pool, whatever part of it the query selects", async () => {
    const noon = FIRST_DAY + DAY / 2;
    expect(
      sorted(
        await flagged(`timestamp >= ${noon} AND timestamp < ${FIRST_DAY + DAY} AND amount_usd IS NOT NULL`),
      ),
    ).toEqual(expected(({ day, usd }) => day === 0 && usd !== null));
    const { pool } = POOL_DAYS[0] ?? { pool: MEME };
    expect(sorted(await flagged(`pool_address = '${pool}'`))).toEqual(expected((one) => one.pool === pool));
    expect(sorted(await flagged(`token_address = '${OTHER}'`))).toEqual(
      expected(({ tokens }) => tokens.includes(OTHER)),
    );
  });

  it("leaves wash trades out of volume only on request", async () => {
    const [all] = await read<{ usd: number }>(
      `SELECT SUM(amount_usd) AS usd FROM eth_dex_trades WHERE quote_address = '${USDC}'`,
    );
    const [honest] = await read<{ usd: number }>(
      `SELECT SUM(amount_usd) AS usd FROM eth_dex_trades WHERE quote_address = '${USDC}' AND wash_reason IS NULL`,
    );
    const sum = (days: PoolDay[]) => days.reduce((total, { usd }) => total + (usd ?? 0), 0);
    const paid = POOL_DAYS.filter(({ tokens }) => tokens[1] === USDC);
    expect(all?.usd).toBe(sum(paid));
    expect(honest?.usd).toBe(sum(paid.filter((one) => washReason(one) === null)));
  });

  it("goes with a verdict on tokens", async () => {
    const [row] = await read<{ n: number }>(
      "SELECT COUNT(*) AS n FROM eth_dex_trades WHERE wash_reason IS NULL AND spam_reasons IS NULL AND block_number = 1001",
    );
    expect(row?.n).toBeGreaterThan(0);
  });

  it("follows a reorg", async () => {
    await market.store.rollback({ number: 1000, hash: hashOf(1000), timestamp: FIRST_DAY });
    expect(sorted(await flagged("block_number > 0"))).toEqual(expected(({ day }) => day === 0));
  });
});
