import { INVERSE_BITS, inverseOf, sqrtPriceAtTick, type TickLiquidity } from "./liquidity-amounts.ts";

/**
 * Computes `liquidityAmounts` for liquidity that changes often: each change and each result takes a few dozen
 * additions instead of one per tick. The sums of `liquidityAmounts` are split at the price. For token 0,
 * ticks above the price keep their own root, and ticks below it take the root of the price. For token 1, it
 * is the reverse.
 */
export class LiquiditySums {
  /** The square root of the price at each tick, in ascending order. */
  readonly #roots: readonly bigint[];
  readonly #indexes: ReadonlyMap<number, number>;
  readonly #nets: PrefixSums;
  readonly #inverses: PrefixSums;
  readonly #products: PrefixSums;

  /** @param ticks all ticks whose liquidity will change */
  constructor(ticks: Iterable<number>) {
    const sorted = [...new Set(ticks)].sort((a, b) => a - b);
    this.#indexes = new Map(sorted.map((tick, index) => [tick, index]));
    this.#roots = sorted.map(sqrtPriceAtTick);
    [this.#nets, this.#inverses, this.#products] = [
      new PrefixSums(sorted.length),
      new PrefixSums(sorted.length),
      new PrefixSums(sorted.length),
    ];
  }

  /** Returns whether the liquidity of a tick can change. */
  covers(tick: number): boolean {
    return this.#indexes.has(tick);
  }

  add({ tick, net }: TickLiquidity): void {
    const index = this.#indexes.get(tick) ?? 0;
    const root = this.#roots[index] ?? 0n;
    this.#nets.add(index, net);
    this.#inverses.add(index, net * inverseOf(root));
    this.#products.add(index, net * root);
  }

  /** @param sqrtPrice square root of the price of token 0 in token 1, Q64.96, above zero */
  amountsAt(sqrtPrice: bigint): { amount0: bigint; amount1: bigint } {
    const below = countUpTo(this.#roots, sqrtPrice);
    const [netBelow, netAbove] = this.#nets.split(below);
    const [, inversesAbove] = this.#inverses.split(below);
    const [productsBelow] = this.#products.split(below);
    const inverses = inversesAbove + netBelow * inverseOf(sqrtPrice);
    const roots = -productsBelow - netAbove * sqrtPrice;
    return { amount0: inverses >> (INVERSE_BITS - 96n), amount1: roots >> 96n };
  }
}

/** Returns the number of values that are at most `limit`; `values` must be in ascending order. */
function countUpTo(values: readonly bigint[], limit: bigint): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0n) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Prefix sums of a list that changes (a Fenwick tree). Each change and each sum takes logarithmic time. */
class PrefixSums {
  readonly #nodes: bigint[];
  #total = 0n;

  constructor(length: number) {
    this.#nodes = Array(length + 1).fill(0n);
  }

  add(index: number, value: bigint): void {
    this.#total += value;
    for (let node = index + 1; node < this.#nodes.length; node += node & -node)
      this.#nodes[node] = (this.#nodes[node] ?? 0n) + value;
  }

  /** Returns the sum of the first `count` values and the sum of the rest. */
  split(count: number): [first: bigint, rest: bigint] {
    let first = 0n;
    for (let node = count; node > 0; node -= node & -node) first += this.#nodes[node] ?? 0n;
    return [first, this.#total - first];
  }
}
