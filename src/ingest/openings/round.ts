import type { Holding } from "../../storage/stored-balances.ts";

export interface RoundInput {
  /** Holdings that are due to be read again. They go first. */
  rechecks: readonly Holding[];
  /** At most `size` holdings, in order; fewer if there are no more. */
  candidates: readonly Holding[];
  /** The holding after which the candidates begin; null: they begin with the first holding. */
  after: Holding | null;
  /** Maximum number of holdings in the round. */
  size: number;
}

/**
 * Returns the holdings that a round reads, and the holding after which the next round continues; null to
 * begin again. If the round has no room for a candidate, the next round begins with it.
 */
export function planRound(
  { rechecks, candidates, after, size }: RoundInput,
  isPending: (holding: Holding) => boolean,
): { holdings: Holding[]; after: Holding | null } {
  const holdings = new Set(rechecks.filter((holding) => !isPending(holding)).slice(0, size));
  let last = after;
  for (const candidate of candidates) {
    const isRead = !isPending(candidate) && !holdings.has(candidate);
    if (isRead && holdings.size === size) return { holdings: [...holdings], after: last };
    if (isRead) holdings.add(candidate);
    last = candidate;
  }
  return { holdings: [...holdings], after: candidates.length < size ? null : last };
}
