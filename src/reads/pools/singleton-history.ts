import { setImmediate } from "node:timers/promises";
import { hexBytes, integer, integerArray, type Sql, sql, time } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import type { TickLiquidity } from "../../serving/pools/liquidity-amounts.ts";
import { LiquiditySums } from "../../serving/pools/liquidity-sums.ts";
import { RECENT_BLOCKS } from "../snapshot/newest-first.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Moment } from "./pool-state.ts";
import {
  CHANGES_LIQUIDITY,
  isSince,
  isUpTo,
  NEWEST_SQRT_PRICE,
  RANGE_ENDS,
  readSqrtPrices,
  SETS_PRICE,
} from "./singleton-pools.ts";
import { type Change, pointOf, type TimePoints, timesOf, valuesAt } from "./time-points.ts";

/**
 * Maximum number of tick changes between points in one answer; reading and adding this many takes about a
 * second.
 */
const MAX_TICK_CHANGES = 200_000;

/**
 * Like `readSingletonAmounts`, but for one pool at many points in time; undefined before its creation.
 *
 * @param start newest block at or before the first point
 * @throws TooManyTickChanges
 */
export async function readSingletonAmountsOver(
  snapshot: Snapshot,
  pool: Hex,
  points: TimePoints,
  start: Moment,
): Promise<([bigint, bigint] | undefined)[]> {
  const spans = spansBetween(await readBlocksOver(snapshot, points, start), points);
  const [prices, ticks] = await Promise.all([
    readSqrtPricesOver(snapshot, pool, points, spans),
    readTickChanges(snapshot, pool, spans),
  ]);
  const liquidity = new LiquiditySums([...ticks.values()].flat().map(({ tick }) => tick));
  const amounts: ([bigint, bigint] | undefined)[] = [];
  for (const [i, at] of timesOf(points).entries()) {
    for (const change of ticks.get(at) ?? []) liquidity.add(change);
    amounts.push(amountsAt(liquidity, prices[i]));
    // Lets other requests run after each point.
    await setImmediate();
  }
  return amounts;
}

function amountsAt(liquidity: LiquiditySums, sqrtPrice: bigint | undefined): [bigint, bigint] | undefined {
  if (sqrtPrice === undefined) return undefined;
  const { amount0, amount1 } = liquidity.amountsAt(sqrtPrice);
  return [amount0, amount1];
}

/** Reads the newest block at or before each point. */
async function readBlocksOver(
  snapshot: Snapshot,
  points: TimePoints,
  start: Moment,
): Promise<readonly number[]> {
  const changes = await snapshot.query<Change<number>>(
    sql`SELECT ${pointOf(sql`timestamp`, points)} AS point, max(block_number) AS value
      FROM ${snapshot.table("blocks")} WHERE block_number > ${integer(start.block)}
      AND block_number <= ${integer(snapshot.commit.blockNumber)}
      AND timestamp > ${time(points.first)} AND timestamp <= ${time(points.last)} GROUP BY point`,
  );
  return valuesAt(points, changes, start.block);
}

/**
 * Spans of blocks, divided at the newest block of each point, because the logs of a singleton have no
 * timestamps. The number of a span is the lowest block number that it may contain.
 */
interface BlockSpans {
  /** The newest blocks of the first and the last point. */
  first: number;
  last: number;
  /** The first point that includes the blocks of a span, by the span's number. */
  points: ReadonlyMap<number, number>;
}

function spansBetween(blocks: readonly number[], points: TimePoints): BlockSpans {
  const times = timesOf(points);
  const [first = 0] = blocks;
  // Points without new blocks share the span of the next point, whose entry replaces theirs.
  const entries = times.map((at, i): [number, number] => [i === 0 ? 0 : (blocks[i - 1] ?? 0) + 1, at]);
  return { first, last: blocks.at(-1) ?? first, points: new Map(entries) };
}

function spanOf({ points }: BlockSpans): Sql {
  return sql`roundDown(block_number, ${integerArray([...points.keys()], "UInt64")})`;
}

/** Reads the square root of a pool's price, Q64.96, at each point; undefined before the pool's creation. */
async function readSqrtPricesOver(
  snapshot: Snapshot,
  pool: Hex,
  points: TimePoints,
  spans: BlockSpans,
): Promise<(bigint | undefined)[]> {
  const since = Math.max(0, spans.first - RECENT_BLOCKS[0]);
  const rows = await snapshot.query<{ span: number; price: string }>(
    sql`SELECT ${spanOf(spans)} AS span, ${NEWEST_SQRT_PRICE} AS price FROM ${snapshot.table("singleton_logs")}
      WHERE topic_1 = ${hexBytes(pool)} AND ${SETS_PRICE}
      AND ${isSince(snapshot.chain, since)} AND ${isUpTo(snapshot.chain, spans.last)} GROUP BY span`,
  );
  const changes = rows.map(({ span, price }) => ({
    point: spans.points.get(span) ?? points.first,
    value: BigInt(price),
  }));
  const isKnown = changes.some(({ point }) => point === points.first);
  const earlier = isKnown ? undefined : (await readSqrtPrices(snapshot, [pool], spans.first)).get(pool);
  return valuesAt<bigint | undefined>(points, changes, earlier);
}

/** Reads, for each point, the liquidity changes since the previous point, summed by tick. */
async function readTickChanges(
  snapshot: Snapshot,
  pool: Hex,
  spans: BlockSpans,
): Promise<Map<number | undefined, TickLiquidity[]>> {
  const rows = await snapshot.query<{ span: number; tick: number; net: string }>(
    sql`SELECT span, tupleElement(change, 1) AS tick, toString(sum(tupleElement(change, 2))) AS net
      FROM (SELECT ${spanOf(spans)} AS span, arrayJoin(${RANGE_ENDS}) AS change
        FROM ${snapshot.table("singleton_logs")} WHERE topic_1 = ${hexBytes(pool)}
        AND ${CHANGES_LIQUIDITY} AND ${isUpTo(snapshot.chain, spans.last)})
      GROUP BY span, tick HAVING net != '0' LIMIT ${integer(MAX_TICK_CHANGES + 1)}`,
  );
  if (rows.length > MAX_TICK_CHANGES) throw new TooManyTickChanges();
  const changes = new Map<number | undefined, TickLiquidity[]>();
  for (const { span, tick, net } of rows) {
    const point = spans.points.get(span);
    const known = changes.get(point) ?? [];
    known.push({ tick, net: BigInt(net) });
    changes.set(point, known);
  }
  return changes;
}

class TooManyTickChanges extends BaseError {
  constructor() {
    super(
      "too-large",
      `The liquidity of this pool changed at more than ${MAX_TICK_CHANGES} ticks between the points. Request fewer points, or an earlier until_timestamp.`,
    );
  }
}
