import { numberingOf } from "../../chains/chain.ts";
import { answerExpression } from "../../engine-sql/column-types.ts";
import { hexBytes, identifier, integer, join, type Sql, sql, text, time } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { tradedTokens } from "../../schema/pool-tokens.ts";
import { firstRecordIndex } from "../../schema/record-index.ts";
import type { PriceType } from "../../schema/trade-price.ts";
import type { HeldBalance } from "../../serving/pools/pool-state.ts";
import { IS_SYNC } from "../../storage/rows/excerpts.ts";
import { readPriceTypeInForce } from "../prices/prices-in-force.ts";
import { RECENT_BLOCKS, RECENT_SECONDS } from "../snapshot/newest-first.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { tradesWith } from "../trades/trade-conditions.ts";
import { holdingsOf } from "./own-balances.ts";
import {
  type Moment,
  type NewestTrade,
  ownTokens,
  type PoolFacts,
  RESERVES,
  type Reserves,
  readBalances,
  readNewestTrades,
  readReserves,
  reservesOf,
} from "./pool-state.ts";
import { type Change, pointOf, type TimePoints, valuesAt } from "./time-points.ts";
import { IS_TRIDENT_SYNC } from "./vaults/trident-pools.ts";

/** The state of a pool at each of many points in time. */
export interface PoolSeries {
  /** Reserves of a V2 pair or a stable Trident pool; undefined before its first Sync. */
  reserves: (Reserves | undefined)[];
  /** Balances of each token, derived from transfers. */
  held: HeldBalance[][];
  /** Prices in force by token; undefined before the first price. */
  prices: ReadonlyMap<Hex, (number | undefined)[]>;
  /** Newest trade in the pool; null before the first trade. */
  newestTrades: (NewestTrade | null)[];
}

export interface Period {
  points: TimePoints;
  /** The newest block at or before the first point. */
  start: Moment;
}

interface SeriesQuery extends Period {
  priceType: PriceType;
  /** Whether reserves and balances from transfers are needed; if false, they remain unknown. */
  reserves: boolean;
  balances: boolean;
}

/**
 * Reads a series with one statement that starts about a day before the first point, because most values
 * change within that day. A value that does not change within that day takes one more read.
 */
export async function readPoolSeries(
  snapshot: Snapshot,
  facts: PoolFacts,
  query: SeriesQuery,
): Promise<PoolSeries> {
  const parts = [
    tradeChanges(snapshot, facts, query),
    ...(tradedTokens(facts) === null ? [tradesInPool(snapshot, facts, query)] : []),
    ...(query.reserves ? [reserveChanges(snapshot, facts, query)] : []),
    ...(query.balances ? [balanceChanges(snapshot, facts, query)] : []),
  ];
  const rows = await snapshot.query<ChangeRow>(join(parts, " UNION ALL "));
  const of = (kind: ChangeRow["kind"]) => rows.filter((row) => row.kind === kind);
  const [reserves, held, prices, newestTrades] = await Promise.all([
    query.reserves ? reservesOver(snapshot, facts, query, of("reserves")) : [],
    query.balances ? balancesOver(snapshot, facts, query, of("balance")) : [],
    pricesOver(snapshot, facts, query, of("trades")),
    newestTradesOver(snapshot, facts, query, of("trades")),
  ]);
  return { reserves, held, prices, newestTrades };
}

const [BEFORE_SECONDS] = RECENT_SECONDS;
const [BEFORE_BLOCKS] = RECENT_BLOCKS;

/**
 * The last change of a value after the previous point, up to `point`. Columns that do not apply to the kind
 * are null.
 */
interface ChangeRow {
  kind: "trades" | "reserves" | "balance";
  point: number;
  token: Hex | null;
  price: number | null;
  /** Block of the newest trade in the pool; `tradedAt` is its time. */
  blockNumber: number | null;
  tradedAt: number | null;
  /** Decimal text: both reserves, or a balance; null if transfers do not determine it. */
  amount0: string | null;
  amount1: string | null;
}

const COLUMNS = ["kind", "point", "token", "price", "blockNumber", "tradedAt", "amount0", "amount1"] as const;

function changeRow(columns: Partial<Record<keyof ChangeRow, Sql>>): Sql {
  return join(COLUMNS.map((name) => sql`${columns[name] ?? sql`NULL`} AS ${identifier(name)}`));
}

const TOKEN = answerExpression("address", sql`token_address`, "rest");

/**
 * Selects prices and newest trades with one pass over the trades of the pool's tokens. If trades in the pool
 * may have any token, this covers only the pool's own tokens, and `tradesInPool` selects the newest trades.
 */
function tradeChanges(snapshot: Snapshot, facts: PoolFacts, { points, priceType }: SeriesQuery): Sql {
  const isInPool = sql`trades.pool_address = ${hexBytes(facts.pool)}`;
  const row = changeRow({
    kind: text("trades"),
    point: pointOf(sql`trades.timestamp`, points),
    token: TOKEN,
    // argMax ignores trades without a price.
    price: sql`argMax(${identifier(priceType)}, trades.record_index)`,
    blockNumber: sql`maxOrNullIf(trades.block_number, ${isInPool})`,
    tradedAt: sql`toUnixTimestamp(maxOrNullIf(trades.timestamp, ${isInPool}))`,
  });
  const trades = tradesWith(snapshot, {
    tokens: tradedTokens(facts) ?? ownTokens([facts]),
    from: Math.max(0, points.first - BEFORE_SECONDS),
    until: points.last,
  });
  return sql`SELECT ${row} FROM ${trades} GROUP BY token_address, point`;
}

/** Selects the newest trades in the pool, whichever tokens they have. */
function tradesInPool({ table, commit }: Snapshot, { pool }: PoolFacts, { points }: SeriesQuery): Sql {
  const row = changeRow({
    kind: text("trades"),
    point: pointOf(sql`trades.timestamp`, points),
    blockNumber: sql`max(trades.block_number)`,
    tradedAt: sql`toUnixTimestamp(max(trades.timestamp))`,
  });
  return sql`SELECT ${row} FROM ${table("dex_trades")} AS trades WHERE trades.pool_address = ${hexBytes(pool)}
    AND trades.timestamp >= ${time(Math.max(0, points.first - BEFORE_SECONDS))}
    AND trades.timestamp <= ${time(points.last)}
    AND trades.block_number <= ${integer(commit.blockNumber)} GROUP BY point`;
}

/** Returns the condition for the events in which a pool of this family reports its reserves. */
function isSyncOf({ family }: PoolFacts): Sql {
  return family === "trident" ? IS_TRIDENT_SYNC : IS_SYNC;
}

function reserveChanges({ table, commit }: Snapshot, facts: PoolFacts, { points }: SeriesQuery): Sql {
  const { first, last } = points;
  const row = changeRow({
    kind: text("reserves"),
    point: sql`point`,
    amount0: sql`reserve0`,
    amount1: sql`reserve1`,
  });
  return sql`SELECT ${row} FROM (SELECT point, ${RESERVES} FROM (
    SELECT ${pointOf(sql`timestamp`, points)} AS point, argMax(data, record_index) AS newest
    FROM ${table("logs")} WHERE address = ${hexBytes(facts.pool)} AND ${isSyncOf(facts)}
    AND timestamp > ${time(Math.max(0, first - BEFORE_SECONDS))} AND timestamp <= ${time(last)}
    AND block_number <= ${integer(commit.blockNumber)} GROUP BY point))`;
}

function balanceChanges(
  { table, commit, chain }: Snapshot,
  facts: PoolFacts,
  { points, start }: SeriesQuery,
): Sql {
  const since = firstRecordIndex(numberingOf(chain), Math.max(0, start.block - BEFORE_BLOCKS));
  const row = changeRow({
    kind: text("balance"),
    point: pointOf(sql`timestamp`, points),
    token: TOKEN,
    // A tuple, because the newest balance may be null, which argMax would ignore.
    amount0: sql`toString(tupleElement(argMax(tuple(balance_base), record_index), 1))`,
  });
  return sql`SELECT ${row} FROM ${table("token_balances")} WHERE wallet_address = ${hexBytes(facts.pool)}
    AND token_address IN (${join(ownTokens([facts]).map(hexBytes))}) AND record_index >= ${integer(since)}
    AND timestamp <= ${time(points.last)} AND block_number <= ${integer(commit.blockNumber)}
    GROUP BY token_address, point`;
}

/** Returns whether a change gives the value at the first point. */
function isKnownAtStart({ first }: TimePoints, changes: readonly Change<unknown>[]): boolean {
  return changes.some(({ point }) => point === first);
}

async function reservesOver(
  snapshot: Snapshot,
  facts: PoolFacts,
  { points, start }: Period,
  rows: readonly ChangeRow[],
): Promise<PoolSeries["reserves"]> {
  const changes = rows.map(({ point, amount0, amount1 }) => ({
    point,
    value: reservesOf({ reserve0: amount0 ?? "0", reserve1: amount1 ?? "0" }),
  }));
  const isKnown = isKnownAtStart(points, changes);
  if (isKnown) return valuesAt<Reserves | undefined>(points, changes, undefined);
  const earlier = await readReserves(snapshot, [facts.pool], start, isSyncOf(facts));
  return valuesAt(points, changes, earlier.get(facts.pool));
}

async function balancesOver(
  snapshot: Snapshot,
  facts: PoolFacts,
  { points, start }: Period,
  rows: readonly ChangeRow[],
): Promise<PoolSeries["held"]> {
  const changesOf = (token: Hex | null): Change<HeldBalance>[] =>
    rows
      .filter((row) => row.token === token)
      .map(({ point, amount0 }) => ({ point, value: amount0 === null ? null : BigInt(amount0) }));
  const sides = holdingsOf(facts).map((holding, i) => ({
    holding,
    changes: changesOf(facts.tokens[i] ?? null),
  }));
  const unknown = sides.flatMap(({ holding, changes }) =>
    holding === null || isKnownAtStart(points, changes) ? [] : holding,
  );
  const earlier = await readBalances(snapshot, unknown, start);
  return sides.map(({ holding, changes }) =>
    valuesAt(points, changes, holding === null ? null : earlier.get(holding)),
  );
}

async function pricesOver(
  snapshot: Snapshot,
  facts: PoolFacts,
  { points, priceType }: SeriesQuery,
  rows: readonly ChangeRow[],
): Promise<PoolSeries["prices"]> {
  const tokens = ownTokens([facts]);
  const changesOf = (token: Hex): Change<number>[] =>
    rows.flatMap((row) =>
      row.token === token && row.price !== null ? [{ point: row.point, value: row.price }] : [],
    );
  const unknown = tokens.filter((token) => !isKnownAtStart(points, changesOf(token)));
  const earlier = await readPriceTypeInForce(snapshot, unknown, priceType, points.first);
  return new Map(tokens.map((token) => [token, valuesAt(points, changesOf(token), earlier.get(token))]));
}

async function newestTradesOver(
  snapshot: Snapshot,
  facts: PoolFacts,
  { points, start }: Period,
  rows: readonly ChangeRow[],
): Promise<PoolSeries["newestTrades"]> {
  const newest = new Map<number, NewestTrade>();
  for (const { point, blockNumber, tradedAt } of rows) {
    if (blockNumber === null || tradedAt === null) continue;
    // Both tokens may have trades in the pool, so a point may have two rows.
    if (blockNumber >= (newest.get(point)?.blockNumber ?? 0)) newest.set(point, { blockNumber, tradedAt });
  }
  const changes = [...newest].map(([point, value]) => ({ point, value }));
  const isKnown = isKnownAtStart(points, changes);
  const earlier = isKnown ? undefined : (await readNewestTrades(snapshot, [facts], start)).get(facts.pool);
  return valuesAt(points, changes, earlier ?? null);
}
