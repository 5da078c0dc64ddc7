import { integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { candleWindow } from "../prices/candles.ts";

/** Times at multiples of an interval, oldest first; all in unix seconds. */
export interface TimePoints {
  first: number;
  last: number;
  intervalSeconds: number;
}

interface PointOptions {
  intervalSeconds: number;
  /** Bounds of the points, inclusive, unix seconds. */
  from: number;
  until: number;
  maxSize: number;
  order: "asc" | "desc";
}

/**
 * Returns the points within [from, until], at most `maxSize` of them: the newest (desc) or the oldest (asc).
 * Null if there are none.
 */
export function pointsWithin(options: PointOptions): TimePoints | null {
  const { intervalSeconds } = options;
  const window = candleWindow(options, 0);
  return window && { first: window.firstOpen, last: window.lastOpen, intervalSeconds };
}

export function timesOf({ first, last, intervalSeconds }: TimePoints): number[] {
  const count = (last - first) / intervalSeconds + 1;
  return Array.from({ length: count }, (_, i) => first + i * intervalSeconds);
}

/** Prints the first point at or after a row's time, which must be at most the last point. */
export function pointOf(timestamp: Sql, { first, intervalSeconds }: TimePoints): Sql {
  const seconds = integer(intervalSeconds);
  const rounded = sql`intDiv(toUnixTimestamp(${timestamp}) + ${seconds} - 1, ${seconds}) * ${seconds}`;
  return sql`greatest(${integer(first)}, ${rounded})`;
}

/** A value that holds from this point on. */
export interface Change<T> {
  point: number;
  value: T;
}

/**
 * Returns the value that holds at each point: the value of the newest change up to that point.
 *
 * @param changes at most one per point
 * @param initial the value at the first point, if no change gives it
 */
export function valuesAt<T>(points: TimePoints, changes: readonly Change<T>[], initial: T): T[] {
  const byPoint = new Map(changes.map((change) => [change.point, change]));
  let value = initial;
  return timesOf(points).map((time) => {
    const change = byPoint.get(time);
    if (change !== undefined) value = change.value;
    return value;
  });
}
