import { integer, type Sql, sql, time } from "../../engine-sql/sql-text.ts";
import { DAY_SECONDS } from "../../lib/seconds.ts";
import { printVolumeUnits, volumeOf } from "../prices/exact-volume.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** The trades of a token or pool in the 24 hours before the newest block. */
export interface DayTrades {
  /** Null if there are trades, but none has a known value. */
  volumeUsd: number | null;
  trades: number;
  /** Number of trades whose price the outlier rule accepted. */
  accepted: number;
}

/** `DayTrades` as the engine returns them. */
export interface DayTradesRow {
  /** Volume in the units of `exact-volume.ts`, as decimal text; empty if there are no trades. */
  units: string;
  /** Number of trades whose value is known. */
  valued: number;
  trades: number;
  accepted: number;
}

/** The columns with the figures of a group of trades. */
export const DAY_FIGURES = sql`${printVolumeUnits(sql`amount_usd`)} AS units,
  countIf(amount_usd IS NOT NULL) AS valued, count() AS trades,
  countIf(price_token_usd_robust_tick_1 IS NOT NULL) AS accepted`;

/** Prints FROM and WHERE of the trades of the last 24 hours. */
export function tradesOfDay({ table, commit }: Snapshot): Sql {
  return sql`${table("dex_trades")} WHERE block_number <= ${integer(commit.blockNumber)}
    AND timestamp > ${time(Math.max(0, commit.timestamp - DAY_SECONDS))}`;
}

/**
 * Sorts tokens and pools with accepted trades first, then by volume. Anyone can trade with themselves at any
 * price, but the outlier rule accepts only plausible prices.
 */
export const BY_TRADING = sql`accepted > 0 DESC, toInt256OrZero(units) DESC`;

export function dayTrades({ units, valued, trades, accepted }: DayTradesRow): DayTrades {
  const volumeUsd = trades > 0 && valued === 0 ? null : volumeOf(BigInt(units));
  return { volumeUsd, trades, accepted };
}

/** Compares in the order of `BY_TRADING`, in which an unknown volume counts as zero. */
export function compareTrading(a: DayTrades, b: DayTrades): number {
  return Number(b.accepted > 0) - Number(a.accepted > 0) || (b.volumeUsd ?? 0) - (a.volumeUsd ?? 0);
}
