import { DAY_SECONDS } from "../../lib/seconds.ts";

/**
 * Returns the newest row of each key that has a row. Searches longer and longer periods, and finally all
 * time. Most keys have a recent row, so this avoids reading keys with millions of rows from their beginning.
 *
 * @param read reads the newest rows of some keys within a period, or of all time if the period is null
 */
export async function newestFirst<K, R>(
  keys: readonly K[],
  periods: readonly number[],
  read: (keys: readonly K[], period: number | null) => Promise<Map<K, R>>,
): Promise<Map<K, R>> {
  const found = new Map<K, R>();
  for (const period of [...periods, null]) {
    const left = keys.filter((key) => !found.has(key));
    if (left.length === 0) break;
    for (const [key, row] of await read(left, period)) found.set(key, row);
  }
  return found;
}

/**
 * Periods at an end of the chain, in seconds. A day has enough rows for a busy key, a month for most keys.
 * Keys without a row in a month are rare and have few rows, so reading all time costs little.
 */
export const RECENT_SECONDS = [DAY_SECONDS, 30 * DAY_SECONDS] as const;

/** Periods before a block, in blocks: for tables sorted by block. */
export const RECENT_BLOCKS = [10_000, 300_000] as const;
