import type { Clock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { Commit } from "../../reads/snapshot/snapshot.ts";
import type { Parameters, Values } from "../parameters/parameter.ts";

/** Returns the value of `max_lag`; null: the client accepts any age. */
export function maxLagOf({ max_lag: maxLag }: Values<Parameters>): number | null {
  return typeof maxLag === "number" ? maxLag : null;
}

/**
 * Throws BlockTooOld if the newest block of one of the commits is older than a client accepts. The age is in
 * whole seconds, like `lag_seconds` in /v1/status; a block from the future has age 0.
 *
 * @param maxLag seconds; null: any age
 */
export function requireFresh(maxLag: number | null, commits: readonly Commit[], clock: Clock): void {
  if (maxLag === null) return;
  const now = Math.floor(clock.now() / 1000);
  for (const commit of commits) {
    const lag = Math.max(0, now - commit.timestamp);
    if (lag > maxLag) throw new BlockTooOld(commit, lag, maxLag);
  }
}

class BlockTooOld extends BaseError {
  constructor({ blockNumber, timestamp }: Commit, lag: number, maxLag: number) {
    const time = new Date(timestamp * 1000).toISOString().replace(".000Z", "Z");
    super(
      "stale",
      `The newest indexed block is ${blockNumber}, from ${time}: its lag of ${lag} s exceeds max_lag (${maxLag} s). Try again later, or allow a greater lag.`,
      { retryable: true },
    );
  }
}
