import { DAY_SECONDS } from "../../lib/seconds.ts";
/**
 * Looks for the newest row of each key in longer and longer periods before the end: most keys have a row of late, and
 * those that have millions are not read from their beginning. The last period is all of the time.
 *
 * @param read the newest rows of some keys within a period; null: of all time
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
 * Periods at an end of time, in seconds. A day holds enough of what is busy, a month of most; what a month lacks is rare,
 * so that all of it is not much to read.
 */
export const RECENT_SECONDS = [DAY_SECONDS, 30 * DAY_SECONDS] as const;

/** Periods before a block, in blocks: where the sort order is that of blocks. */
export const RECENT_BLOCKS = [10_000, 300_000] as const;
