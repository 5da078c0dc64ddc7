import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { doubleArray, sql } from "../../engine-sql/sql-text.ts";
import type { Engine } from "../../storage/store.ts";
import { printVolumeUnits, VolumeSum, volumeOf } from "./exact-volume.ts";

function unitsOf(...usd: readonly number[]): bigint {
  const sum = new VolumeSum();
  for (const value of usd) sum.add(value);
  return sum.units;
}

/** Every power of two that a value can have, half units, and values next to the limits of the conversions. */
const magnitude = fc
  .tuple(fc.double({ min: 1, max: 2, noNaN: true }), fc.integer({ min: -1074, max: 512 }))
  .map(([mantissa, exponent]) => Math.min(mantissa * 2 ** exponent, 2 ** 512));
const half = fc.integer({ min: 0, max: 2 ** 40 }).map((units) => (units + 0.5) * 2 ** -40);
const edge = fc
  .tuple(fc.constantFrom(11, 12, 13, 21, 22, 23, 24, 83, 84, 85), fc.integer({ min: -3, max: 3 }))
  .map(([exponent, steps]) => 2 ** exponent + steps * 2 ** Math.max(exponent - 52, -40));
const value = fc.oneof(magnitude, half, edge, fc.constantFrom(0, 2 ** -41, 0.49999999999999994 * 2 ** -40));
const values = (count: number) => fc.sample(value, { numRuns: count, seed: 3 });

/** Returns the units of a value, computed from the bits of the double. Rounds halves up. */
function unitsByBits(usd: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.min(usd, 2 ** 84));
  const bits = view.getBigUint64(0);
  const exponent = Number(bits >> 52n);
  const mantissa = (bits & 0xfffffffffffffn) | (exponent === 0 ? 0n : 1n << 52n);
  const shift = Math.max(exponent, 1) - 1075 + 40;
  if (shift >= 0) return mantissa << BigInt(shift);
  return (((mantissa << 1n) >> BigInt(-shift)) + 1n) >> 1n;
}

describe("exact volume", () => {
  let engine: Engine;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ engine, close } = await openFreshEngine());
  });
  afterAll(() => close());

  const engineUnits = async (list: readonly number[]): Promise<string[]> => {
    const units = printVolumeUnits(sql`x`);
    const rows = await engine.query<{ units: string }>(
      sql`SELECT ${units} AS units FROM (SELECT arrayJoin(arrayEnumerate(${doubleArray(list)})) AS i,
        ${doubleArray(list)}[i] AS x) GROUP BY i ORDER BY i`,
    );
    return rows.map((row) => row.units);
  };

  it("rounds each value to the nearest unit, halves up", () => {
    for (const usd of values(5_000)) expect([usd, unitsOf(usd)]).toEqual([usd, unitsByBits(usd)]);
  });

  it("is the same in the engine, value by value", async () => {
    const list = values(5_000);
    expect(await engineUnits(list)).toEqual(list.map((usd) => String(unitsOf(usd))));
  });

  it("is the same in the engine for sums, whose terms may be null", async () => {
    const list = values(20_000);
    const exact = list.reduce((sum, usd) => sum + unitsOf(usd), 0n);
    const [row] = await engine.query(
      sql`SELECT ${printVolumeUnits(sql`x`)} AS units, ${printVolumeUnits(sql`nothing`)} AS none
        FROM (SELECT arrayJoin(arrayConcat([NULL], ${doubleArray(list)})) AS x, CAST(NULL AS Nullable(Float64)) AS nothing)`,
    );
    expect(row).toEqual({ units: String(exact), none: "0" });
  });

  it("converts a sum to the nearest double", () => {
    const cents = [0.1, 0.2, 19.5].map((usd) => unitsOf(usd));
    expect(cents.map(volumeOf)).toEqual([0.1, 0.2, 19.5].map((usd) => Math.round(usd * 2 ** 40) / 2 ** 40));
    expect([2n ** 53n + 1n, 2n ** 53n + 3n, 0n].map(volumeOf)).toEqual([2 ** 13, 2 ** 13 + 2 ** -38, 0]);
  });
});
