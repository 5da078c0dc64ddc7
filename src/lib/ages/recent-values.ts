/**
 * Number of values to keep. With a value for each block, they cover about an hour on Ethereum, and minutes on
 * fast chains.
 */
const KEPT_VALUES = 256;

/** Keeps the newest values of a metric, for its quantiles. */
export class RecentValues {
  readonly #most: number;
  readonly #values: number[] = [];

  /** @param most maximum number of values to keep */
  constructor(most = KEPT_VALUES) {
    this.#most = most;
  }

  add(value: number): void {
    this.#values.push(value);
    if (this.#values.length > this.#most) this.#values.shift();
  }

  /** Returns the quantiles of the values; null if there are none. */
  summary(): Summary | null {
    const sorted = this.#values.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
    const [p50, p95] = [at(0.5), at(0.95)];
    return p50 === undefined || p95 === undefined ? null : { p50, p95, count: sorted.length };
  }
}

export interface Summary {
  p50: number;
  p95: number;
  count: number;
}
