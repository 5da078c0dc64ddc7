import {
  hexBytesArray,
  hexText,
  integer,
  join,
  type Sql,
  sql,
  text,
  time,
} from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { printVolumeUnits } from "../prices/exact-volume.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { swapsIn } from "../trades/pool-swaps.ts";
import { hasOneOf } from "../trades/pool-tokens.ts";
import { isHonest } from "../trades/wash-trades.ts";
import { createdWithin } from "./creations.ts";
import {
  type Candidate,
  candidateOrder,
  includesUntraded,
  isByAge,
  isWithin,
  MAX_CANDIDATES,
  type Range,
  type ScreenQuery,
  TRADE_FIGURES,
  unitsWithin,
} from "./screen-query.ts";

/**
 * Reads the first candidates of a list: tokens or pools whose trades in the window meet the filters, in the
 * order of `candidateOrder`.
 */
export async function readCandidates(snapshot: Snapshot, query: ScreenQuery): Promise<Candidates> {
  // A pool is its own main pool, even without trades.
  const mainPool = query.kind === "pool" ? sql`listed` : sql`main_pool`;
  const rows = await snapshot.query<CandidateRow>(
    sql`SELECT ${hexText(sql`listed`)} AS subject, toString(${VOLUME}) AS volume, trades, traders, pools,
      ${hexText(mainPool)} AS mainPool FROM (${candidateRows(snapshot, query)})
      WHERE ${figureConditions(query)} ORDER BY ${orderOf(query)} LIMIT ${integer(MAX_CANDIDATES + 1)}`,
  );
  return {
    candidates: rows.slice(0, MAX_CANDIDATES).map(candidateOf),
    isLimited: rows.length > MAX_CANDIDATES,
  };
}

interface Candidates {
  /** At most `MAX_CANDIDATES`. */
  candidates: Candidate[];
  /** Whether there are more. */
  isLimited: boolean;
}

type CandidateRow = Omit<Candidate, "volumeUnits" | "mainPool"> & { volume: string | null; mainPool: Hex };

const NO_POOL = "0x";

function candidateOf({ volume, mainPool, ...row }: CandidateRow): Candidate {
  return {
    ...row,
    volumeUnits: volume === null ? null : BigInt(volume),
    mainPool: mainPool === NO_POOL ? null : mainPool,
  };
}

/**
 * Returns the number of tokens or pools that are left out only because all of their trades in the window are
 * wash trades.
 */
export async function countWashed(snapshot: Snapshot, query: ScreenQuery): Promise<number> {
  if (!query.excludesWash || listsUntraded(query)) return 0;
  const subject = query.kind === "token" ? sql`token_address` : sql`pool_address`;
  const all = { ...query, excludesWash: false };
  const rows = tradesOf(snapshot, all);
  const washed = sql`SELECT ${subject} FROM ${rows} GROUP BY ${subject}
    HAVING NOT max(${isHonest(snapshot, { rows, as: TRADES })})`;
  const [row] = await snapshot.query<{ count: number }>(
    sql`SELECT count() AS count FROM (${candidateRows(snapshot, all)})
      WHERE ${figureConditions(all)} AND listed IN (${washed})`,
  );
  return row?.count ?? 0;
}

/**
 * Prints a query for all tokens or pools that may be listed, with the columns `listed`, `units`, `valued`,
 * `trades`, `traders` and `pools`. Tokens also have `main_pool`, and lists by age also have `born`.
 */
function candidateRows(snapshot: Snapshot, query: ScreenQuery): Sql {
  const trades = tradesOf(snapshot, query);
  const figures = query.kind === "token" ? tokenFigures(trades) : poolFigures(trades);
  if (!isByAge(query)) return figures;
  return sql`SELECT * FROM (${createdWithin(snapshot, query)}) AS known LEFT JOIN (${figures}) AS traded USING listed`;
}

const TRADES = sql`counted`;

/** Prints FROM and WHERE of the trades from which the figures are computed. */
function tradesOf(snapshot: Snapshot, query: ScreenQuery): Sql {
  const { commit, table } = snapshot;
  const from = Math.max(0, commit.timestamp - query.windowSeconds);
  const conditions = [
    sql`block_number <= ${integer(commit.blockNumber)}`,
    sql`timestamp > ${time(from)}`,
    ...(query.protocol === null ? [] : [sql`protocol_name = ${text(query.protocol)}`]),
    ...(query.tokens === null ? [] : [isAbout(snapshot, query.kind, query.tokens)]),
  ];
  const rows = sql`${table("dex_trades")} AS ${TRADES} WHERE ${join(conditions, " AND ")}`;
  return query.excludesWash ? sql`${rows} AND ${isHonest(snapshot, { rows, as: TRADES })}` : rows;
}

/**
 * Prints a condition for trades of these tokens or, in a list of pools, for trades in pools with one of them.
 */
function isAbout({ table }: Snapshot, kind: ScreenQuery["kind"], tokens: readonly Hex[]): Sql {
  if (kind === "token") return sql`token_address IN (SELECT arrayJoin(${hexBytesArray(tokens, 20)}))`;
  return sql`pool_address IN (SELECT pool_address FROM ${table("pool_metadata")} WHERE ${hasOneOf(tokens)})`;
}

function tokenFigures(trades: Sql): Sql {
  return sql`SELECT token_address AS listed, sum(pool_units) AS units, sum(pool_valued) AS valued,
      sum(pool_trades) AS trades, uniqExactMerge(pool_traders) AS traders, count() AS pools,
      argMax(pool_address, (pool_units, pool_address)) AS main_pool
    FROM (SELECT token_address, pool_address, toInt256(${printVolumeUnits(sql`amount_usd`)}) AS pool_units,
      countIf(amount_usd IS NOT NULL) AS pool_valued, count() AS pool_trades,
      uniqExactState(trader_address) AS pool_traders
      FROM ${trades} GROUP BY token_address, pool_address)
    GROUP BY token_address`;
}

function poolFigures(trades: Sql): Sql {
  return sql`SELECT pool_address AS listed, toInt256(${printVolumeUnits(sql`swap_usd`)}) AS units,
      countIf(swap_usd IS NOT NULL) AS valued, count() AS trades, uniqExact(trader_address) AS traders,
      toUInt64(1) AS pools
    FROM (${swapsIn(trades)}) GROUP BY pool_address`;
}

/** The volume; null if there are trades, but none has a known value. */
const VOLUME = sql`if(trades > 0 AND valued = 0, NULL, units)`;

/**
 * Prints the conditions on figures. One condition is that there are trades, unless the list includes tokens
 * and pools without trades.
 */
function figureConditions(query: ScreenQuery): Sql {
  const { filters } = query;
  const conditions = [
    ...(needsTrade(query) ? [sql`trades > 0`] : []),
    ...unitsRange(filters.volume_usd),
    ...countRange(sql`trades`, filters.trades),
    ...countRange(sql`traders`, filters.traders),
  ];
  return conditions.length === 0 ? sql`1` : join(conditions, " AND ");
}

function needsTrade(query: ScreenQuery): boolean {
  return !includesUntraded(query) || (query.kind === "token" && query.protocol !== null);
}

/** Returns whether tokens and pools whose figures are all zero meet the filters. */
function listsUntraded(query: ScreenQuery): boolean {
  return !needsTrade(query) && TRADE_FIGURES.every((figure) => isWithin(0, query.filters[figure]));
}

function unitsRange(range: Range): Sql[] {
  const { min, max } = unitsWithin(range);
  return [
    ...(min === null ? [] : [sql`${VOLUME} >= toInt256(${text(String(min))})`]),
    ...(max === null ? [] : [sql`${VOLUME} <= toInt256(${text(String(max))})`]),
  ];
}

function countRange(column: Sql, { min, max }: Range): Sql[] {
  return [
    ...(min === null ? [] : [sql`${column} >= ${integer(min)}`]),
    ...(max === null ? [] : [sql`${column} <= ${integer(max)}`]),
  ];
}

function orderOf(query: ScreenQuery): Sql {
  const { by, order } = candidateOrder(query);
  return sql`${ORDER_COLUMNS[by]} ${DIRECTIONS[order]} NULLS LAST, ${VOLUME} DESC NULLS LAST, listed`;
}

const ORDER_COLUMNS = {
  volume_usd: VOLUME,
  trades: sql`trades`,
  traders: sql`traders`,
  created_timestamp: sql`born`,
};
const DIRECTIONS = { asc: sql`ASC`, desc: sql`DESC` };
