import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toUnits } from "./units.ts";

const amount = fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n });
const smallAmount = fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n });
const decimals = fc.integer({ min: 0, max: 77 });

describe("toUnits", () => {
  it("divides by powers of ten", () => {
    expect(toUnits(1_500_000_000_000_000_000n, 18)).toBe(1.5);
    expect(toUnits(3n, 1)).toBe(0.3);
    expect(toUnits(-22_686_110n, 6)).toBe(-22.68611);
    expect(toUnits(0n, 18)).toBe(0);
    expect(toUnits(7n, 0)).toBe(7);
    expect(toUnits(2n ** 256n - 1n, 77)).toBe(1.1579208923731619);
  });

  it("equals the parsed decimal text", () => {
    fc.assert(
      fc.property(fc.oneof(amount, smallAmount), decimals, (value, places) => {
        expect(toUnits(value, places)).toBe(Number(`${value}e-${places}`));
      }),
      { numRuns: 3_000 },
    );
  });

  it("is the nearest double by exact arithmetic", () => {
    fc.assert(
      fc.property(fc.oneof(amount, smallAmount), decimals, (value, places) => {
        const result = toUnits(value, places);
        const error = distance(result, value, places);
        for (const neighbour of neighbours(result)) {
          expect(distance(neighbour, value, places) >= error).toBe(true);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

/** Returns |double × 2^1074 × 10^places - value × 2^1074|. Doubles are whole multiples of 2^-1074. */
function distance(double: number, value: bigint, places: number): bigint {
  const difference = scaled(double) * 10n ** BigInt(places) - (value << 1074n);
  return difference < 0n ? -difference : difference;
}

function scaled(double: number): bigint {
  const bits = bitsOf(double);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = exponent === 0 ? fraction : (fraction | (1n << 52n)) << BigInt(exponent - 1);
  return double < 0 ? -magnitude : magnitude;
}

function bitsOf(double: number): bigint {
  return new BigUint64Array(new Float64Array([double]).buffer)[0] ?? 0n;
}

function neighbours(double: number): number[] {
  const bits = bitsOf(double);
  return [bits - 1n, bits + 1n]
    .map((next) => new Float64Array(new BigUint64Array([BigInt.asUintN(64, next)]).buffer)[0] ?? 0)
    .filter(Number.isFinite);
}
