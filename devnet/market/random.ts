/** Returns a 32-bit hash of whole numbers. Applies the finalizer of MurmurHash3 to each number. */
export function hashNumbers(...values: number[]): number {
  let hash = 0x9e3779b9;
  for (const value of values) {
    hash = mix(hash ^ mix(value >>> 0));
    hash = mix(hash ^ (Math.floor(value / 2 ** 32) >>> 0));
  }
  return hash;
}

function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Generates seeded random numbers. The same seed gives the same sequence. The algorithm is mulberry32. */
export class Random {
  private state: number;

  constructor(...seed: number[]) {
    this.state = hashNumbers(...seed);
  }

  /** Returns a number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns a whole number from 0 to `count` - 1. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** Returns a number that is usually near `median` and sometimes far above it. */
  logNormal(median: number, spread: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
    return median * Math.exp(spread * normal);
  }

  pick<T>(list: readonly T[], weight: (item: T) => number = () => 1): T {
    let left = this.next() * list.reduce((sum, item) => sum + weight(item), 0);
    const found = list.find((item) => {
      left -= weight(item);
      return left < 0;
    });
    return found ?? (list[list.length - 1] as T);
  }
}
