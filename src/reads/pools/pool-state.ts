import { answerExpression } from "../../engine-sql/column-types.ts";
import { hexBytes, hexBytesArray, integer, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { type Holding, readStoredBalances } from "../../storage/stored-balances.ts";
import { newestFirst, RECENT_BLOCKS, RECENT_SECONDS } from "../snapshot/newest-first.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** A pool's row in pool_metadata, and the decimals of its tokens. */
export interface PoolFacts {
  pool: Hex;
  family: string;
  token0: Hex;
  token1: Hex;
  decimals0: number | null;
  decimals1: number | null;
  /** null: older than the first indexed block. */
  createdBlock: number | null;
}

/** The newest block at or before a time, and that time. */
export interface Moment {
  block: number;
  /** Unix seconds. */
  at: number;
}

/** Sync(uint112,uint112): the reserves of a V2 pair after the event. */
const SYNC_TOPIC: Hex = "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1";

const addressText = (column: Sql) => answerExpression("address", column, "rest");
const among = (addresses: readonly Hex[]) => sql`(SELECT arrayJoin(${hexBytesArray(addresses, 20)}))`;

/** The newest indexed block at or before a time; null when there is none. */
export async function readMoment(snapshot: Snapshot, at: number): Promise<Moment | null> {
  const { commit } = snapshot;
  if (at >= commit.timestamp) return { block: commit.blockNumber, at };
  const [found] = await snapshot.query<{ block: number }>(
    sql`SELECT block_number AS block FROM ${snapshot.table("blocks")} WHERE timestamp <= ${integer(at)}
      AND block_number <= ${integer(commit.blockNumber)} ORDER BY block_number DESC LIMIT 1`,
  );
  return found === undefined ? null : { block: found.block, at };
}

/** The pools that are indexed; unknown ones are left out. */
export async function readPools(snapshot: Snapshot, pools: readonly Hex[]): Promise<PoolFacts[]> {
  const known = await snapshot.query<Omit<PoolFacts, "decimals0" | "decimals1">>(
    sql`SELECT ${answerExpression("pool_id", sql`pool_address`, "rest")} AS pool, family,
      ${addressText(sql`token_0_address`)} AS token0, ${addressText(sql`token_1_address`)} AS token1,
      block_number_created AS createdBlock FROM ${snapshot.table("pool_metadata")}
      WHERE pool_address IN (${join(pools.map(hexBytes))}) AND ${wasSeen(snapshot)}`,
  );
  const decimals = await readDecimals(snapshot, [
    ...new Set(known.flatMap(({ token0, token1 }) => [token0, token1])),
  ]);
  return known.map((facts) => ({
    ...facts,
    decimals0: decimals.get(facts.token0) ?? null,
    decimals1: decimals.get(facts.token1) ?? null,
  }));
}

/** Decimals of tokens; null for tokens that report none. */
async function readDecimals(snapshot: Snapshot, tokens: readonly Hex[]): Promise<Map<Hex, number | null>> {
  if (tokens.length === 0) return new Map();
  const rows = await snapshot.query<{ token: Hex; decimals: number | null }>(
    sql`SELECT ${addressText(sql`token_address`)} AS token, decimals FROM ${snapshot.table("token_metadata")}
      WHERE token_address IN ${among(tokens)} AND ${wasSeen(snapshot)}`,
  );
  return new Map(rows.map(({ token, decimals }) => [token, decimals]));
}

function wasSeen({ commit }: Snapshot): Sql {
  return sql`first_seen_block_number <= ${integer(commit.blockNumber)}`;
}

/** Base units. */
export interface Reserves {
  reserve0: bigint;
  reserve1: bigint;
}

/** The reserves of V2 pairs after their last Sync up to a moment; pairs without one are left out. */
export function readReserves(
  snapshot: Snapshot,
  pools: readonly Hex[],
  { block, at }: Moment,
): Promise<Map<Hex, Reserves>> {
  const word = (from: number) =>
    sql`toString(reinterpretAsUInt256(reverse(substring(newest, ${integer(from)}, 32))))`;
  return newestFirst(pools, RECENT_SECONDS, async (left, period) => {
    const rows = await snapshot.query<{ pool: Hex; reserve0: string; reserve1: string }>(
      sql`SELECT ${addressText(sql`address`)} AS pool, ${word(1)} AS reserve0, ${word(33)} AS reserve1 FROM (
        SELECT address, argMax(data, record_index) AS newest FROM ${snapshot.table("logs")}
        WHERE address IN ${among(left)} AND topic_0 = ${hexBytes(SYNC_TOPIC)} AND length(data) = 64
        AND block_number <= ${integer(block)} AND ${within(at, period)} GROUP BY address)`,
    );
    return new Map(
      rows.map(({ pool, reserve0, reserve1 }) => [
        pool,
        { reserve0: BigInt(reserve0), reserve1: BigInt(reserve1) },
      ]),
    );
  });
}

function within(at: number, period: number | null): Sql {
  const until = sql`timestamp <= ${integer(at)}`;
  return period === null ? until : sql`${until} AND timestamp > ${integer(Math.max(0, at - period))}`;
}

/**
 * Balances as of a block, in base units: null if transfers do not reveal them, absent if no transfer changed
 * them.
 */
export function readBalances(
  snapshot: Snapshot,
  holdings: readonly Holding[],
  { block: last }: Moment,
): Promise<Map<Holding, bigint | null>> {
  const chain = snapshot.chain.name;
  return newestFirst(holdings, RECENT_BLOCKS, (left, period) => {
    const first = period === null ? 0 : Math.max(0, last - period);
    return readStoredBalances(snapshot, left, { chain, first, last });
  });
}

export interface NewestTrade {
  blockNumber: number;
  /** Unix seconds. */
  tradedAt: number;
}

/** The newest trade of each pool up to a moment; pools without one are left out. */
export async function readNewestTrades(
  snapshot: Snapshot,
  pools: readonly PoolFacts[],
  { block, at }: Moment,
): Promise<Map<Hex, NewestTrade>> {
  const tokensOf = new Map(pools.map(({ pool, token0, token1 }) => [pool, [token0, token1]]));
  return newestFirst([...tokensOf.keys()], RECENT_SECONDS, async (left, period) => {
    const tokens = [...new Set(left.flatMap((pool) => tokensOf.get(pool) ?? []))];
    const rows = await snapshot.query<NewestTrade & { pool: Hex }>(
      sql`SELECT ${answerExpression("pool_id", sql`pool_address`, "rest")} AS pool,
        max(trades.block_number) AS blockNumber, toUnixTimestamp(max(trades.timestamp)) AS tradedAt
        FROM ${snapshot.table("dex_trades")} AS trades WHERE token_address IN ${among(tokens)}
        AND pool_address IN (${join(left.map(hexBytes))})
        AND trades.block_number <= ${integer(block)} AND ${within(at, period)} GROUP BY pool_address`,
    );
    return new Map(rows.map(({ pool, ...trade }) => [pool, trade]));
  });
}
