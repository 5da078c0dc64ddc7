export interface Weighted {
  value: number;
  weight: number;
}

/** The value below which half of the weight lies; the mean of two when the halves meet between them. Not of nothing. */
export function weightedMedian(items: readonly Weighted[]): number {
  const ascending = items.toSorted((a, b) => a.value - b.value);
  const half = ascending.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let below = 0;
  for (const [i, { value, weight }] of ascending.entries()) {
    below += weight;
    if (below > half) return value;
    if (below === half) return (value + (ascending[i + 1]?.value ?? value)) / 2;
  }
  return ascending.at(-1)?.value ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return weightedMedian(values.map((value) => ({ value, weight: 1 })));
}

/**
 * Weighs trades by their USD value, but none with more than `cap` times the median value, so that no single
 * large trade decides the median.
 */
export function cappedWeights(values: readonly number[], cap: number): number[] {
  const most = cap * median(values);
  return values.map((value) => Math.min(value, most));
}
