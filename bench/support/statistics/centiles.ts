/**
 * Returns `p50 / p95 (minimum, number of samples)`, in ms. The minimum is hardly affected by other load on
 * the machine.
 */
export function centiles({ milliseconds }: { milliseconds: readonly number[] }): string {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN).toFixed(1);
  return `${at(0.5)} / ${at(0.95)} (${at(0)}, ${sorted.length})`;
}
