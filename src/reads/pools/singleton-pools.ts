import { setImmediate } from "node:timers/promises";
import { type Chain, numberingOf } from "../../chains/chain.ts";
import { answerExpression } from "../../engine-sql/column-types.ts";
import { hexBytes, hexBytesArray, integer, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import { firstRecordIndex } from "../../schema/record-index.ts";
import { PRICE_WORDS, SINGLETON_EVENTS } from "../../schema/singleton-events.ts";
import { liquidityAmounts, type TickLiquidity } from "../../serving/pools/liquidity-amounts.ts";
import { newestFirst, RECENT_BLOCKS } from "../snapshot/newest-first.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/**
 * Maximum number of ticks with liquidity in one query. This many take about a second; busy pools have a few
 * thousand.
 */
export const MAX_TICKS = 200_000;

const POOL = answerExpression("hash", sql`topic_1`, "rest");
const among = (pools: readonly Hex[]) => sql`topic_1 IN (SELECT arrayJoin(${hexBytesArray(pools, 32)}))`;
const wordAt = (index: Sql) => sql`reverse(substring(data, 1 + 32 * ${index}, 32))`;
const unsignedAt = (index: Sql) => sql`reinterpretAsUInt256(${wordAt(index)})`;
const signedAt = (index: number) => sql`reinterpretAsInt256(${wordAt(integer(index))})`;
/** The index of the word in a log's data that is the new price. */
const PRICE_WORD = sql`transform(topic_0, [${join([...PRICE_WORDS.keys()].map(hexBytes))}], [${join([...PRICE_WORDS.values()].map(integer))}], 0)`;
export const isSince = (chain: Chain, block: number) =>
  sql`record_index >= ${integer(firstRecordIndex(numberingOf(chain), block))}`;
export const isUpTo = (chain: Chain, block: number) =>
  sql`record_index < ${integer(firstRecordIndex(numberingOf(chain), block + 1))}`;

/**
 * Reads the token amounts of a singleton's pools after a block, in base units, from the price after the last
 * swap and the ranges of all positions. Only correct for pools whose logs are all stored.
 *
 * @throws TooManyTicks
 */
export async function readSingletonAmounts(
  snapshot: Snapshot,
  pools: readonly Hex[],
  block: number,
): Promise<Map<Hex, [bigint, bigint]>> {
  if (pools.length === 0) return new Map();
  const [prices, ticks] = await Promise.all([
    readSqrtPrices(snapshot, pools, block),
    readTicks(snapshot, pools, block),
  ]);
  const amounts = new Map<Hex, [bigint, bigint]>();
  for (const [pool, sqrtPrice] of prices) {
    const { amount0, amount1 } = liquidityAmounts(sqrtPrice, ticks.get(pool) ?? []);
    amounts.set(pool, [amount0, amount1]);
    // Lets other requests run after each pool.
    await setImmediate();
  }
  return amounts;
}

/** Condition for logs that set a pool's price. */
export const SETS_PRICE = sql`topic_0 IN (${join([...PRICE_WORDS.keys()].map(hexBytes))})`;
/** The newest price that these logs set, as decimal text. */
export const NEWEST_SQRT_PRICE = sql`toString(argMax(${unsignedAt(PRICE_WORD)}, record_index))`;

export const CHANGES_LIQUIDITY = sql`topic_0 = ${hexBytes(SINGLETON_EVENTS.modifyLiquidity)}`;

/**
 * Reads the square root of each pool's price, Q64.96, after its last swap up to a block, or after its
 * creation if there is no swap.
 */
export function readSqrtPrices(
  snapshot: Snapshot,
  pools: readonly Hex[],
  block: number,
): Promise<Map<Hex, bigint>> {
  return newestFirst(pools, RECENT_BLOCKS, async (left, period) => {
    const first = period === null ? 0 : Math.max(0, block - period);
    const rows = await snapshot.query<{ pool: Hex; price: string }>(
      sql`SELECT ${POOL} AS pool, ${NEWEST_SQRT_PRICE} AS price
        FROM ${snapshot.table("singleton_logs")} WHERE ${among(left)} AND ${SETS_PRICE}
        AND ${isSince(snapshot.chain, first)} AND ${isUpTo(snapshot.chain, block)} GROUP BY topic_1`,
    );
    return new Map(rows.map(({ pool, price }) => [pool, BigInt(price)]));
  });
}

/** Reads the net liquidity of each pool by tick, as of a block. @throws TooManyTicks */
export async function readTicks(
  snapshot: Snapshot,
  pools: readonly Hex[],
  block: number,
): Promise<Map<Hex, TickLiquidity[]>> {
  const rows = await snapshot.query<{ pool: Hex; tick: number; net: string }>(
    sql`SELECT ${POOL} AS pool, tupleElement(change, 1) AS tick, toString(sum(tupleElement(change, 2))) AS net
      FROM (SELECT topic_1, arrayJoin(${RANGE_ENDS}) AS change
        FROM ${snapshot.table("singleton_logs")} WHERE ${among(pools)}
        AND ${CHANGES_LIQUIDITY} AND ${isUpTo(snapshot.chain, block)})
      GROUP BY topic_1, tick HAVING net != '0' LIMIT ${integer(MAX_TICKS + 1)}`,
  );
  if (rows.length > MAX_TICKS) throw new TooManyTicks();
  const ticks = new Map<Hex, TickLiquidity[]>();
  for (const { pool, tick, net } of rows) {
    const known = ticks.get(pool) ?? [];
    known.push({ tick, net: BigInt(net) });
    ticks.set(pool, known);
  }
  return ticks;
}

/**
 * Both ends of the range whose liquidity a log changes, as pairs: the tick, and what the log adds to the
 * tick's net liquidity (see `TickLiquidity`).
 */
export const RANGE_ENDS: Sql = sql`[(toInt32(${signedAt(0)}), ${signedAt(2)}), (toInt32(${signedAt(1)}), -${signedAt(2)})]`;

class TooManyTicks extends BaseError {
  constructor() {
    super(
      "too-large",
      `The liquidity of these pools spans more than ${MAX_TICKS} ticks. Request fewer pools at once.`,
    );
  }
}
