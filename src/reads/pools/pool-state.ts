import { numberingOf } from "../../chains/chain.ts";
import { answerExpression } from "../../engine-sql/column-types.ts";
import {
  hexBytes,
  hexBytesArray,
  identifier,
  integer,
  join,
  type Sql,
  sql,
} from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { isWholeFrom } from "../../schema/block.ts";
import { poolTokens, type TokensOfPool, tradedTokens } from "../../schema/pool-tokens.ts";
import type { NewestTrade, Reserves } from "../../serving/pools/pool-state.ts";
import { readOpenings } from "../../storage/openings/stored-openings.ts";
import { IS_SYNC } from "../../storage/rows/excerpts.ts";
import { type Holding, readFewBalances, readStoredBalances } from "../../storage/stored-balances.ts";
import { newestFirst, RECENT_BLOCKS, RECENT_SECONDS } from "../snapshot/newest-first.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

export type { NewestTrade, Reserves } from "../../serving/pools/pool-state.ts";

/** A pool's row in pool_metadata. */
export interface PoolRow extends TokensOfPool {
  pool: Hex;
  family: string;
  factory: Hex;
  /** Null if the pool was created before the first indexed block. */
  createdBlock: number | null;
  /** Unix seconds. */
  createdAt: number | null;
}

/** A pool with the decimals of its tokens. */
export interface PoolFacts extends PoolRow {
  /** In the order of `tokens`; null for a token that reports no decimals. */
  decimals: readonly (number | null)[];
}

/** The newest block at or before a time, and that time. */
export interface Moment {
  block: number;
  /** Unix seconds. */
  at: number;
}

const addressText = (column: Sql) => answerExpression("address", column, "rest");
const among = (addresses: readonly Hex[]) => sql`(SELECT arrayJoin(${hexBytesArray(addresses, 20)}))`;

/** Reads the newest indexed block at or before a time; null if there is none. */
export async function readMoment(snapshot: Snapshot, at: number): Promise<Moment | null> {
  const { commit } = snapshot;
  if (at >= commit.timestamp) return { block: commit.blockNumber, at };
  const [found] = await snapshot.query<{ block: number }>(
    sql`SELECT block_number AS block FROM ${snapshot.table("blocks")} WHERE timestamp <= ${integer(at)}
      AND block_number <= ${integer(commit.blockNumber)} ORDER BY block_number DESC LIMIT 1`,
  );
  return found === undefined ? null : { block: found.block, at };
}

/** Reads the rows of pools; unknown pools are left out. */
export async function readPoolRows(snapshot: Snapshot, pools: readonly Hex[]): Promise<PoolRow[]> {
  const rows = await snapshot.query<StoredPool>(
    sql`SELECT ${answerExpression("pool_id", sql`pool_address`, "rest")} AS pool, family,
      ${addressText(sql`factory_address`)} AS factory,
      ${addressText(sql`token_0_address`)} AS token0, ${addressText(sql`token_1_address`)} AS token1,
      token_addresses AS tokens, underlying_token_addresses AS underlying,
      block_number_created AS createdBlock, toUnixTimestamp(timestamp_created) AS createdAt
      FROM ${snapshot.table("pool_metadata")}
      WHERE pool_address IN (${join(pools.map(hexBytes))}) AND ${wasSeen(snapshot)}`,
  );
  return rows.map(({ tokens, underlying, ...row }) => ({
    ...row,
    tokens: poolTokens(tokens),
    underlying: poolTokens(underlying),
  }));
}

interface StoredPool extends Omit<PoolRow, "tokens" | "underlying"> {
  tokens: string;
  underlying: string;
}

/** Like `readPoolRows`, with the decimals of the pools' tokens. */
export async function readPools(snapshot: Snapshot, pools: readonly Hex[]): Promise<PoolFacts[]> {
  const known = await readPoolRows(snapshot, pools);
  const decimals = await readDecimals(snapshot, ownTokens(known));
  return known.map((facts) => ({
    ...facts,
    decimals: facts.tokens.map((token) => (token === null ? null : (decimals.get(token) ?? null))),
  }));
}

/** Returns the known tokens of pools, without duplicates. */
export function ownTokens(pools: readonly Pick<PoolRow, "tokens">[]): Hex[] {
  return [...new Set(pools.flatMap(({ tokens }) => tokens.filter((token) => token !== null)))];
}

/** Reads the decimals of tokens; null for tokens that report no decimals. */
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

/** The arguments of a Sync, as columns of a `ReserveRow`. */
export const RESERVES = join([1, 33].map((from, i) => reserveAt(from, i === 0 ? "reserve0" : "reserve1")));

function reserveAt(from: number, name: keyof ReserveRow): Sql {
  const word = sql`reverse(substring(newest, ${integer(from)}, 32))`;
  return sql`toString(reinterpretAsUInt256(${word})) AS ${identifier(name)}`;
}

/** Reserves as decimal text. */
export interface ReserveRow {
  reserve0: string;
  reserve1: string;
}

export function reservesOf({ reserve0, reserve1 }: ReserveRow): Reserves {
  return { reserve0: BigInt(reserve0), reserve1: BigInt(reserve1) };
}

/**
 * Reads the reserves of pools after their last Sync up to a moment; pools without a Sync are left out.
 *
 * @param isSync condition for the events that report reserves; default: those of V2 pairs
 */
export function readReserves(
  snapshot: Snapshot,
  pools: readonly Hex[],
  { block, at }: Moment,
  isSync = IS_SYNC,
): Promise<Map<Hex, Reserves>> {
  return newestFirst(pools, RECENT_SECONDS, async (left, period) => {
    const rows = await snapshot.query<ReserveRow & { pool: Hex }>(
      sql`SELECT ${addressText(sql`address`)} AS pool, ${RESERVES} FROM (
        SELECT address, argMax(data, record_index) AS newest FROM ${snapshot.table("logs")}
        WHERE address IN ${among(left)} AND ${isSync}
        AND block_number <= ${integer(block)} AND ${within(at, period)} GROUP BY address)`,
    );
    return new Map(rows.map(({ pool, ...row }) => [pool, reservesOf(row)]));
  });
}

function within(at: number, period: number | null): Sql {
  const until = sql`timestamp <= ${integer(at)}`;
  return period === null ? until : sql`${until} AND timestamp > ${integer(Math.max(0, at - period))}`;
}

/**
 * Maximum number of balances for which a single statement reads the last row of each. More balances take up
 * to three statements, which search longer and longer periods.
 */
const FEW_HOLDINGS = 8;

/**
 * Reads balances as of a block, in base units. A balance is null if transfers do not determine it. It is
 * absent if no transfer changed it and the balance before the first indexed block is not known.
 */
export async function readBalances(
  snapshot: Snapshot,
  holdings: readonly Holding[],
  moment: Moment,
): Promise<Map<Holding, bigint | null>> {
  const { firstBlock } = snapshot.commit;
  const balances = await readChangedBalances(snapshot, holdings, moment);
  if (isWholeFrom(firstBlock)) return balances;
  const unchanged = holdings.filter((holding) => !balances.has(holding));
  const openings = await readOpenings(snapshot, { chain: snapshot.chain.name, firstBlock }, unchanged);
  return new Map<Holding, bigint | null>([...openings, ...balances]);
}

function readChangedBalances(
  snapshot: Snapshot,
  holdings: readonly Holding[],
  { block: last }: Moment,
): Promise<Map<Holding, bigint | null>> {
  const query = { chain: snapshot.chain.name, numbering: numberingOf(snapshot.chain), last };
  if (holdings.length <= FEW_HOLDINGS) return readFewBalances(snapshot, holdings, query);
  return newestFirst(holdings, RECENT_BLOCKS, (left, period) => {
    const first = period === null ? 0 : Math.max(0, last - period);
    return readStoredBalances(snapshot, left, { ...query, first });
  });
}

/**
 * Reads the newest trade of each pool up to a moment; pools without a trade are left out. Searches the trades
 * of the pools' tokens, because the engine finds trades faster by token than by pool. If the trades of a pool
 * may have any token, searches by pool.
 *
 * @param periods the periods before the moment that are searched first
 */
export async function readNewestTrades(
  snapshot: Snapshot,
  pools: readonly PoolRow[],
  { block, at }: Moment,
  periods: readonly number[] = RECENT_SECONDS,
): Promise<Map<Hex, NewestTrade>> {
  const tokensOf = new Map(pools.map((facts) => [facts.pool, tradedTokens(facts)]));
  const read = async (left: readonly Hex[], ofTokens: Sql, period: number | null) => {
    if (left.length === 0) return [];
    return snapshot.query<NewestTrade & { pool: Hex }>(
      sql`SELECT ${answerExpression("pool_id", sql`pool_address`, "rest")} AS pool,
        max(trades.block_number) AS blockNumber, toUnixTimestamp(max(trades.timestamp)) AS tradedAt
        FROM ${snapshot.table("dex_trades")} AS trades WHERE ${ofTokens}
        AND pool_address IN (${join(left.map(hexBytes))})
        AND trades.block_number <= ${integer(block)} AND ${within(at, period)} GROUP BY pool_address`,
    );
  };
  return newestFirst([...tokensOf.keys()], periods, async (left, period) => {
    const [open, others] = [
      left.filter((pool) => !tokensOf.get(pool)),
      left.filter((pool) => tokensOf.get(pool)),
    ];
    const tokens = [...new Set(others.flatMap((pool) => tokensOf.get(pool) ?? []))];
    const rows = await Promise.all([
      read(open, sql`1`, period),
      read(others, sql`token_address IN ${among(tokens)}`, period),
    ]);
    return new Map(rows.flat().map(({ pool, ...trade }) => [pool, trade]));
  });
}
