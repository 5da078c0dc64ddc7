import type { TickLiquidity } from "./liquidity-amounts.ts";
import { LiquiditySums } from "./liquidity-sums.ts";

/** Memory of the objects of a pool's liquidity, without its ticks. */
const EMPTY_BYTES = 400;
/**
 * Memory of a tick: its net liquidity, the square root of its price, and its nodes in three trees of big
 * integers.
 */
const TICK_BYTES = 320;

/**
 * The liquidity of all positions in a singleton's pool. It changes in place. Its sums are built when they are
 * first needed, and rebuilt after positions at new ticks arrive.
 */
export class PoolLiquidity {
  /** Net liquidity by tick; ticks with a net liquidity of zero are left out. */
  readonly nets: Map<number, bigint>;
  #sums: LiquiditySums | null = null;

  constructor(ticks: Iterable<TickLiquidity>) {
    this.nets = new Map(Array.from(ticks, ({ tick, net }) => [tick, net]));
  }

  /** Number of ticks at which the active liquidity changes. */
  get ticks(): number {
    return this.nets.size;
  }

  get bytes(): number {
    return EMPTY_BYTES + TICK_BYTES * this.nets.size;
  }

  add({ tick, net }: TickLiquidity): void {
    const changed = (this.nets.get(tick) ?? 0n) + net;
    if (changed === 0n) this.nets.delete(tick);
    else this.nets.set(tick, changed);
    if (this.#sums?.covers(tick)) this.#sums.add({ tick, net });
    else this.#sums = null;
  }

  /**
   * Returns the token amounts in base units.
   *
   * @param sqrtPrice square root of the price of token 0 in token 1, Q64.96, above zero
   */
  amountsAt(sqrtPrice: bigint): [bigint, bigint] {
    this.#sums ??= this.#build();
    const { amount0, amount1 } = this.#sums.amountsAt(sqrtPrice);
    return [amount0, amount1];
  }

  #build(): LiquiditySums {
    const sums = new LiquiditySums(this.nets.keys());
    for (const [tick, net] of this.nets) sums.add({ tick, net });
    return sums;
  }
}
