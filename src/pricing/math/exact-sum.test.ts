import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExactSum } from "./exact-sum.ts";

/** Returns the double as a multiple of 2^-1074, the smallest double. */
function scaled(value: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const exponent = Number((raw >> 52n) & 0x7ffn);
  const mantissa = (raw & 0xfffffffffffffn) | (exponent === 0 ? 0n : 1n << 52n);
  const magnitude = mantissa << BigInt(Math.max(exponent, 1) - 1);
  return raw >> 63n === 1n ? -magnitude : magnitude;
}

/** Returns the double nearest to an integer multiple of 2^-1074, by rounding the integer. */
function nearest(total: bigint): number {
  const magnitude = total < 0n ? -total : total;
  const excess = Math.max(0, magnitude.toString(2).length - 53);
  const cut = BigInt(excess);
  let mantissa = magnitude >> cut;
  const rest = magnitude - (mantissa << cut);
  const half = excess === 0 ? 0n : 1n << (cut - 1n);
  if (excess > 0 && (rest > half || (rest === half && mantissa % 2n === 1n))) mantissa += 1n;
  const value = scaleDown(Number(mantissa), excess - 1074);
  return total < 0n ? -value : value;
}

/** Returns mantissa * 2^power without intermediate rounding. */
function scaleDown(mantissa: number, power: number): number {
  return power < -1000 ? mantissa * 2 ** -1000 * 2 ** (power + 1000) : mantissa * 2 ** power;
}

const amounts = fc.double({ min: 0, max: 2 ** 512, noNaN: true });

describe("ExactSum", () => {
  it("does not round intermediate sums", () => {
    const sum = new ExactSum();
    for (const term of [1e16, 1, -1e16]) sum.add(term);
    expect(sum.value()).toBe(1);
  });

  it("rounds a tie by the parts below it", () => {
    const sum = new ExactSum();
    for (const term of [1, 2 ** -53, 2 ** -200]) sum.add(term);
    expect(sum.value()).toBe(1 + 2 ** -52);
    sum.add(-(2 ** -200));
    expect(sum.value()).toBe(1);
  });

  it("equals exact integer arithmetic, rounded once", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -(2 ** 512), max: 2 ** 512, noNaN: true })), (terms) => {
        const sum = new ExactSum();
        for (const term of terms) sum.add(term);
        const exact = terms.reduce((total, term) => total + scaled(term), 0n);
        expect(sum.value()).toBe(nearest(exact) + 0);
      }),
      { numRuns: 2000 },
    );
  });

  it("equals a fresh sum after terms are subtracted, in any order", () => {
    fc.assert(
      fc.property(fc.array(amounts), fc.array(amounts), (gone, staying) => {
        const moved = new ExactSum();
        for (const term of [...gone, ...staying]) moved.add(term);
        for (const term of gone.toReversed()) moved.add(-term);
        const fresh = new ExactSum();
        for (const term of staying.toReversed()) fresh.add(term);
        expect(moved.value()).toBe(fresh.value());
      }),
      { numRuns: 2000 },
    );
  });
});
