import type { Hex } from "../lib/hex.ts";

const DAY_SECONDS = 86_400;

/**
 * How far back the newest trade is looked for, one span after the other. Busy tokens are found in the short
 * span, so that their long histories are never read; those left for the last one have few trades.
 */
const SPANS_SECONDS = [DAY_SECONDS / 24, DAY_SECONDS, 30 * DAY_SECONDS, Number.POSITIVE_INFINITY];

interface NewestQuestion<T> {
  tokens: readonly Hex[];
  /** No trade that counts is later; unix seconds. */
  until: number;
  /** Finds the newest trade at or after a time for each of the tokens that has one. */
  readSince(tokens: readonly Hex[], since: number): Promise<T[]>;
}

/** The newest trade of each token that has one, in no particular order. */
export async function readNewest<T extends { tokenAddress: Hex }>({
  tokens,
  until,
  readSince,
}: NewestQuestion<T>): Promise<T[]> {
  const found: T[] = [];
  let missing = tokens;
  for (const span of SPANS_SECONDS) {
    if (missing.length === 0) break;
    const newest = await readSince(missing, Math.max(0, until - span));
    for (const one of newest) found.push(one);
    const known = new Set(newest.map(({ tokenAddress }) => tokenAddress));
    missing = missing.filter((token) => !known.has(token));
  }
  return found;
}
