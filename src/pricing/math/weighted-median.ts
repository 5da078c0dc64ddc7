interface Weighted {
  values: number[];
  weights: number[];
}

/**
 * Returns the value that has half of the weight below it; the mean of two values if the halves meet between
 * them. Takes at least one value and is fast for a few dozen. Weights must be above zero.
 */
export function weightedMedian(values: readonly number[], weights: readonly number[]): number {
  const sorted = sortedByValue(values, weights);
  let half = 0;
  for (const weight of sorted.weights) half += weight / 2;
  let below = 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = sorted.values[i] ?? Number.NaN;
    below += sorted.weights[i] ?? 0;
    if (below > half) return value;
    if (below === half) return (value + (sorted.values[i + 1] ?? value)) / 2;
  }
  return sorted.values.at(-1) ?? Number.NaN;
}

/** Returns the smallest value for which more than the given share of the weight is at or below it. */
export function weightedQuantile(
  values: readonly number[],
  weights: readonly number[],
  share: number,
): number {
  const sorted = sortedByValue(values, weights);
  const limit = share * sorted.weights.reduce((sum, weight) => sum + weight, 0);
  let below = 0;
  for (const [i, weight] of sorted.weights.entries()) {
    below += weight;
    if (below > limit) return sorted.values[i] ?? Number.NaN;
  }
  return sorted.values.at(-1) ?? Number.NaN;
}

function sortedByValue(values: readonly number[], weights: readonly number[]): Weighted {
  const sorted = { values: [...values], weights: [...weights] };
  sortTogether(sorted.values, sorted.weights);
  return sorted;
}

export function median(values: readonly number[]): number {
  const ascending = [...values];
  sortTogether(ascending, [...values]);
  const middle = ascending.length >> 1;
  const upper = ascending[middle] ?? Number.NaN;
  return ascending.length % 2 === 1 ? upper : ((ascending[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Sorts by insertion, the fastest way for a few dozen values. Each companion moves with its key. */
function sortTogether(keys: number[], companions: number[]): void {
  for (let i = 1; i < keys.length; i += 1) {
    const key = keys[i] ?? 0;
    const companion = companions[i] ?? 0;
    let to = i;
    for (; to > 0 && (keys[to - 1] ?? 0) > key; to -= 1) {
      keys[to] = keys[to - 1] ?? 0;
      companions[to] = companions[to - 1] ?? 0;
    }
    keys[to] = key;
    companions[to] = companion;
  }
}
