import type { Hex } from "../../lib/hex.ts";
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../lib/seconds.ts";
import { UNITS_PER_USD } from "../prices/exact-volume.ts";

/** Lengths, in seconds, of the windows before the newest block from which a list can take its trades. */
export const SCREEN_WINDOWS = {
  "5m": 5 * MINUTE_SECONDS,
  "1h": HOUR_SECONDS,
  "6h": 6 * HOUR_SECONDS,
  "24h": DAY_SECONDS,
  "7d": 7 * DAY_SECONDS,
} as const;

export type ScreenWindow = keyof typeof SCREEN_WINDOWS;

export const SCREEN_WINDOW_NAMES = Object.keys(SCREEN_WINDOWS) as [ScreenWindow, ...ScreenWindow[]];

/**
 * Figures by which a list can be filtered. These are read together with the candidates; figures in
 * `LATER_FIGURES` are read after them.
 */
export const TRADE_FIGURES = ["volume_usd", "trades", "traders"] as const;
export const LATER_FIGURES = ["price_change_pct", "liquidity_usd"] as const;

export type TradeFigure = (typeof TRADE_FIGURES)[number];
export type LaterFigure = (typeof LATER_FIGURES)[number];
export type Figure = TradeFigure | LaterFigure;

export const SCREEN_SORTS = [...TRADE_FIGURES, ...LATER_FIGURES, "created_timestamp"] as const;
export type ScreenSort = (typeof SCREEN_SORTS)[number];

/** Both ends inclusive; null: no limit. */
export interface Range {
  min: number | null;
  max: number | null;
}

export interface ScreenQuery {
  kind: "token" | "pool";
  windowSeconds: number;
  sort: ScreenSort;
  order: "asc" | "desc";
  filters: Record<Figure, Range>;
  /** Age at the newest block, in seconds. */
  age: Range;
  protocol: string | null;
  /** Only these tokens, or pools with one of them; null: any. */
  tokens: readonly Hex[] | null;
  showsSpam: boolean;
  excludesWash: boolean;
  /** Number of rows to read, from the start of the list. */
  rows: number;
}

/**
 * Maximum number of tokens or pools in a list. Each needs a spam verdict, and may need its price at both ends
 * of the window and the balances of a pool. All of this takes the engine about a millisecond for each token
 * or pool.
 */
export const MAX_CANDIDATES = 500;

/** The figures of a token's or pool's trades within the window. */
export interface Candidate {
  /** A token, or a pool's address or id. */
  subject: Hex;
  /** In the units of `exact-volume.ts`; null if there are trades, but none has a known value. */
  volumeUnits: bigint | null;
  trades: number;
  traders: number;
  /** Number of pools with trades; 1 for a pool. */
  pools: number;
  /**
   * For a token, its pool with the highest volume; null if there are no trades. For a pool, the pool itself.
   */
  mainPool: Hex | null;
}

/** Returns a range in USD as a range in the units of `exact-volume.ts`. */
export function unitsWithin({ min, max }: Range): { min: bigint | null; max: bigint | null } {
  return {
    min: min === null ? null : BigInt(Math.ceil(min * UNITS_PER_USD)),
    max: max === null ? null : BigInt(Math.floor(max * UNITS_PER_USD)),
  };
}

export function isOpen({ min, max }: Range): boolean {
  return min === null && max === null;
}

export function isWithin(value: number | null, range: Range): boolean {
  if (isOpen(range)) return true;
  return value !== null && value >= (range.min ?? -Infinity) && value <= (range.max ?? Infinity);
}

/** Returns whether a list depends on a figure that is not computed from its trades. */
export function uses({ sort, filters }: ScreenQuery, figure: LaterFigure): boolean {
  return sort === figure || !isOpen(filters[figure]);
}

/** Returns whether the age of tokens or pools decides which of them are listed, or their order. */
export function isByAge({ sort, age }: ScreenQuery): boolean {
  return sort === "created_timestamp" || !isOpen(age);
}

/** Returns whether a list also includes candidates without trades, as lists of new tokens or pools do. */
export function includesUntraded({ sort, age }: ScreenQuery): boolean {
  return sort === "created_timestamp" || age.max !== null;
}

/**
 * Returns the order in which candidates are chosen: the list's own if it sorts by a figure of trades or by
 * age, otherwise by volume.
 */
export function candidateOrder({ sort, order }: ScreenQuery): {
  by: TradeFigure | "created_timestamp";
  order: "asc" | "desc";
} {
  if (sort === "price_change_pct" || sort === "liquidity_usd") return { by: "volume_usd", order: "desc" };
  return { by: sort, order };
}
