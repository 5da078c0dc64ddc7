import { json } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BARE_CHAIN } from "../../../test/support/nodes/bare-chain.ts";
import { seeded } from "../../../test/support/seeded.ts";
import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { RowOf } from "../../schema/tables.ts";
import { commitTrades, hashOf, hexOf, type Market, openMarket, tradeRow } from "../support/market.ts";
import { prepareClientQuery, runClientQuery } from "./client-sql.ts";

const DAY = 86_400;
const FIRST_DAY = 19_700 * DAY;
const USDC = hexOf(0xcc);
const WETH = hexOf(1);
const MEME = hexOf(0xeee);
const OTHER = hexOf(0xddd);
const CHAIN: Chain = { ...BARE_CHAIN, name: "eth", chainId: 1, wrappedNative: WETH, stableCoins: [USDC] };

interface PoolDay {
  pool: Hex;
  day: number;
  trades: number;
  traders: number;
  /** Sum of the values; null if no trade has one. */
  usd: number | null;
  /** The two tokens of its swaps. A swap between two that are not listed has two rows. */
  tokens: [Hex, Hex];
}

/** Pools and days at and around each bound of the rule. */
const CASES: Omit<PoolDay, "pool" | "day">[] = [
  [500, 5, 25_000],
  [499, 4, 900_000],
  [500, 6, 900_000],
  [600, 6, 25_000],
  [599, 6, 25_000],
  [500, 5, 24_999],
  [500, 5, 0],
  [500, 5, null],
  [499, 5, null],
  [30, 1, 1_000_000],
  [29, 1, 1_000_000],
  [30, 1, 999_999],
  [60, 2, 1_000_000],
  [59, 2, 1_000_000],
  [60, 2, 999_999],
  [90, 3, 1_499_999],
  [90, 3, 1_500_000],
  [700, 2, 3_000_000],
].flatMap(([trades, traders, usd]) =>
  (
    [
      [MEME, USDC],
      [MEME, OTHER],
      [WETH, USDC],
    ] as [Hex, Hex][]
  ).map((tokens) => {
    return { trades: trades ?? 0, traders: traders ?? 0, usd: usd ?? null, tokens };
  }),
);

/** Two days. On the second, each pool has another case, so a verdict that mixes days is wrong. */
const POOL_DAYS: PoolDay[] = [0, 1].flatMap((day) =>
  CASES.map((facts, i): PoolDay => ({ ...facts, day, pool: hexOf(0x5000 + ((i + 7 * day) % CASES.length)) })),
);

/** A second implementation of the rule. */
function washReason({ trades, traders, usd, tokens }: PoolDay): string | null {
  if (tokens.every((token) => token === USDC || token === WETH)) return null;
  if (usd !== null && usd < 25_000) return null;
  if (trades >= 500 && trades / traders >= 100) return "trades_per_trader";
  const isLarge = usd !== null && usd >= 1e6 && usd / traders >= 500_000;
  return isLarge && trades / traders >= 30 ? "usd_per_trader" : null;
}

const random = seeded(3);

/** The rows of a day; the first trade gets the remainder of what does not divide evenly. */
function rowsOf(poolDays: readonly PoolDay[], block: number): RowOf<"dex_trades">[] {
  let log = 0;
  let ordinal = 0;
  return poolDays.flatMap(({ pool, day, trades, traders, usd, tokens: [token, quote] }) =>
    Array.from({ length: trades }, (_, n) => n).flatMap((n) => {
      log += 1;
      const share = usd === null ? null : Math.floor(usd / trades) + (n === 0 ? usd % trades : 0);
      const at = FIRST_DAY + day * DAY + Math.floor(random() * DAY);
      const isTwo = (token === MEME) === (quote === OTHER);
      const sides: [Hex, Hex][] =
        isTwo || token === WETH
          ? [
              [token, quote],
              [quote, token],
            ]
          : [[token, quote]];
      return sides.map(([traded, paid]) => {
        const trade = { token: traded, at, price: 1, usd: share, pool, trader: hexOf(0xa00 + (n % traders)) };
        return { ...tradeRow(trade, block, ordinal++), quote_address: paid, log_index: log };
      });
    }),
  );
}

let market: Market;

beforeAll(async () => {
  market = await openMarket([]);
  market.chains = [{ chain: CHAIN, store: market.store }];
  for (const day of [0, 1]) {
    const dex_trades = rowsOf(
      POOL_DAYS.filter((one) => one.day === day),
      1000 + day,
    );
    const at = FIRST_DAY + day * DAY;
    await commitTrades(market.store, [{ token: MEME, at, price: 1 }], {
      firstBlock: 1000 + day,
      rows: { dex_trades },
    });
  }
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
  it("is that of the rule computed a second way, for every pool and day", async () => {
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

  it("leaves wash trades out of volume only where it is asked to", async () => {
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
