/** Returns a similar known name as the end of an error message, or an empty string if there is none. */
export function didYouMean(name: string, known: readonly string[]): string {
  return asQuestion(nearestName(name, known));
}

export function asQuestion(suggestion: string | null): string {
  return suggestion === null ? "" : `; did you mean "${suggestion}"?`;
}

/**
 * Returns the nearest of the known names; if none is close, one that begins with this name, or the only one
 * that ends with it as a word (`symbol` in `token_symbol`); otherwise null.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  const wanted = name.toLowerCase().slice(0, LONGEST);
  const farthest = Math.max(2, Math.ceil(wanted.length / 3));
  const ranked = known
    .filter(({ length }) => Math.abs(length - wanted.length) <= farthest)
    .map((candidate) => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  if (best !== undefined && best.distance <= farthest) return best.candidate;
  if (wanted.length <= 2) return null;
  const longer = known.find((candidate) => candidate.startsWith(wanted));
  const [ending, another] = known.filter((candidate) => candidate.endsWith(`_${wanted}`));
  return longer ?? (another === undefined ? ending : undefined) ?? null;
}

/**
 * Maximum number of compared characters; no name in Quarry is longer. Computing a distance takes time
 * proportional to the product of both lengths. Names of very different lengths are not compared, because
 * their distance is at least the difference of the lengths.
 */
const LONGEST = 60;

/**
 * Returns the minimum number of insertions, deletions, replacements and swaps of neighbours that turn one
 * text into the other.
 */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const cost = from[i - 1] === to[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length] ?? 0;
}
