/** `p50 / p95 (least, number of samples)`, ms: what other work on the machine adds, the least has not. */
export function centiles({ milliseconds }: { milliseconds: readonly number[] }): string {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN).toFixed(1);
  return `${at(0.5)} / ${at(0.95)} (${at(0)}, ${sorted.length})`;
}
