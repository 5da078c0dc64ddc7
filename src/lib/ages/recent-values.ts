/**
 * Number of values to keep. With a value for each block, they cover about an hour on Ethereum, and minutes on
 * fast chains.
 */
const KEPT_VALUES = 256;

/** Keeps the newest values of a metric, for their distribution. */
export class RecentValues {
  readonly #bounds: readonly number[];
  readonly #most: number;
  readonly #values: number[] = [];

  /**
   * @param bounds upper bounds of the histogram's buckets, in ascending order
   * @param most maximum number of values to keep
   */
  constructor(bounds: readonly number[], most = KEPT_VALUES) {
    this.#bounds = bounds;
    this.#most = most;
  }

  add(value: number): void {
    this.#values.push(value);
    if (this.#values.length > this.#most) this.#values.shift();
  }

  /** Returns the distribution of the values; null if there are none. */
  summary(): Summary | null {
    const sorted = this.#values.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
    const [p50, p95] = [at(0.5), at(0.95)];
    if (p50 === undefined || p95 === undefined) return null;
    return { p50, p95, count: sorted.length, histogram: this.#histogram() };
  }

  #histogram(): Bucket[] {
    const bounds = [...this.#bounds, null];
    const buckets = bounds.map((atMost, i) => {
      const above = bounds[i - 1] ?? null;
      const isIn = (value: number) =>
        (above === null || value > above) && (atMost === null || value <= atMost);
      return { above, atMost, count: this.#values.filter(isIn).length };
    });
    return buckets.filter(({ count }) => count > 0);
  }
}

export interface Summary {
  p50: number;
  p95: number;
  count: number;
  /** The buckets that contain values, in ascending order. */
  histogram: readonly Bucket[];
}

export interface Bucket {
  /** Lower bound, which the bucket does not include; null for the first bucket. */
  above: number | null;
  /** Upper bound, which the bucket includes; null for the last bucket. */
  atMost: number | null;
  count: number;
}
