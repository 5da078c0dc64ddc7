import { BaseError } from "../../lib/error.ts";

/**
 * Token amounts of liquidity as Uniswap V3 and V4 compute them (V3 whitepaper, section 6.2). Square roots of
 * prices are integers in units of 1/2^96 (Q64.96), and the roots at ticks are rounded as in TickMath.
 */

/** Only ticks from -MAX_TICK to MAX_TICK have a price. */
const MAX_TICK = 887_272;

const Q32 = 2n ** 32n;
const Q128 = 2n ** 128n;
const MAX_UINT256 = 2n ** 256n - 1n;

/** 2^128 / sqrt(1.0001)^(2^i), rounded, for each bit i of a tick. */
const INVERSE_ROOTS = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
];

/** Returns the square root of the price at a tick, Q64.96; equals TickMath.getSqrtPriceAtTick exactly. */
export function sqrtPriceAtTick(tick: number): bigint {
  const size = Math.abs(tick);
  if (!Number.isInteger(tick) || size > MAX_TICK) throw new NoPriceAtTick(tick);
  let inverse = Q128;
  INVERSE_ROOTS.forEach((root, bit) => {
    if ((size >> bit) & 1) inverse = (inverse * root) / Q128;
  });
  const root = tick > 0 ? MAX_UINT256 / inverse : inverse;
  return (root + Q32 - 1n) / Q32;
}

/** Change of the active liquidity when the price rises across a tick. */
export interface TickLiquidity {
  tick: number;
  net: bigint;
}

/** Fraction bits of an inverse square root of a price: enough that the error never reaches one base unit. */
export const INVERSE_BITS = 320n;

/**
 * Returns the token amounts of the liquidity of all ranges at a price, in base units, rounded down once.
 * Ranges above the price hold token 0, ranges below hold token 1. Liquidity L between two roots a < b is L
 * (1/a - 1/b) of token 0, or L (b - a) of token 1. So each tick adds one term per token, with the tick's root
 * clamped to the root of the price.
 *
 * @param sqrtPrice square root of the price of token 0 in token 1, Q64.96, above zero
 * @param ticks ticks of all ranges; their `net` values add up to zero
 */
export function liquidityAmounts(
  sqrtPrice: bigint,
  ticks: Iterable<TickLiquidity>,
): { amount0: bigint; amount1: bigint } {
  let inverses = 0n;
  let roots = 0n;
  for (const { tick, net } of ticks) {
    const root = sqrtPriceAtTick(tick);
    inverses += net * inverseOf(root > sqrtPrice ? root : sqrtPrice);
    roots -= net * (root < sqrtPrice ? root : sqrtPrice);
  }
  return { amount0: inverses >> (INVERSE_BITS - 96n), amount1: roots >> 96n };
}

/** Returns the inverse of a root, with `INVERSE_BITS` fraction bits. */
export function inverseOf(root: bigint): bigint {
  return (1n << INVERSE_BITS) / root;
}

class NoPriceAtTick extends BaseError {
  constructor(tick: number) {
    super("internal", `there is no price at tick ${tick}`);
  }
}
