import { integer, type Sql, sql } from "../../engine-sql/sql-text.ts";

/**
 * The volume of trades in USD is a sum of integers: each value is rounded once to a multiple of 2^-40 USD,
 * with halves rounded up. The sum is therefore the same in any order, in the engine and in memory, and it is
 * rounded only once, to the nearest double.
 */
const UNIT_BITS = 40;

/** One USD is about 10^12 units. Multiplying by a power of two is exact. */
export const UNITS_PER_USD = 2 ** UNIT_BITS;

/** Units are added in two parts of this many bits: the engine converts doubles exactly only below 2^63. */
const PART_BITS = 62;

/** Maximum number of units of one trade: 2^84 USD (2e25). Higher values are clamped. */
const MAX_UNITS = 2 ** (2 * PART_BITS);

/** Returns a value as a whole number of units, with halves rounded up. */
function wholeUnits(usd: number): number {
  return Math.round(Math.min(usd * UNITS_PER_USD, MAX_UNITS));
}

/** The sum of two whole numbers below this is exact. */
const MAX_SMALL = 2 ** 52;

/**
 * A sum of values in units. Small values are added up as a double, which is ten times faster than adding
 * bigints, and carried over to the bigint before the double becomes inexact.
 */
export class VolumeSum {
  #units = 0n;
  #small = 0;

  /** @param usd not negative */
  add(usd: number): void {
    const units = wholeUnits(usd);
    if (units >= MAX_SMALL) this.#units += BigInt(units);
    else this.#small += units;
    if (this.#small >= MAX_SMALL) this.#carry();
  }

  get units(): bigint {
    this.#carry();
    return this.#units;
  }

  #carry(): void {
    this.#units += BigInt(this.#small);
    this.#small = 0;
  }
}

/** Converts a number of units to USD. */
export function volumeOf(units: bigint): number {
  return Number(units) / UNITS_PER_USD;
}

/**
 * Prints the engine's sum of units over a column of values, as decimal digits; null counts as zero. Sums of
 * 128 bits have room for 2^64 trades.
 */
export function printVolumeUnits(usd: Sql): Sql {
  const part = powerOfTwo(PART_BITS);
  const units = sql`least(ifNull(${usd}, 0) * ${powerOfTwo(UNIT_BITS)}, ${part} * ${part})`;
  const high = sql`floor(${units} / ${part})`;
  const low = sql`(${units} - ${high} * ${part})`;
  // The engine's round() rounds halves to even, and adding 0.5 to a large double rounds twice.
  const rounded = sql`floor(${low}) + (${low} - floor(${low}) >= 0.5)`;
  return sql`toString(toInt256(${sumOf(high)}) * ${integer(2n ** BigInt(PART_BITS))} + ${sumOf(rounded)})`;
}

function sumOf(part: Sql): Sql {
  return sql`sum(toInt128(toInt64(${part})))`;
}

function powerOfTwo(bits: number): Sql {
  return sql`toFloat64(${integer(2n ** BigInt(bits))})`;
}
