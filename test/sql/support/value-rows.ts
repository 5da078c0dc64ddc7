import fc from "fast-check";
import { double, integer, join, type Sql, sql, text } from "../../../src/engine-sql/sql-text.ts";
import type { TableSource } from "../oracle/interpret.ts";
import { type AnyRow, FIXTURE_NOW } from "./query-fixture.ts";

/** A whole number, an amount, two doubles, two strings, and a time in Unix seconds. */
interface Values {
  n: number;
  a: bigint;
  x: number | null;
  y: number | null;
  s: string | null;
  r: string | null;
  t: number;
}

/** The columns of `erc20` that hold the values. */
export const VALUE_COLUMNS: Readonly<Record<keyof Values, string>> = {
  n: "log_index",
  a: "value_base",
  x: "value_token",
  y: "value_usd",
  s: "token_symbol",
  r: "token_name",
  t: "timestamp",
};

const doubles = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.integer({ min: -2_000, max: 2_000 }).map((n) => n / 8),
    fc.integer({ min: -100_000, max: 100_000 }).map((n) => n / 100),
    fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }).map((n) => n / 1e6),
    fc.constantFrom(
      ...[0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.285, 1.005, 1e308, -1e308, 5e-324, 4503599627370497, 2 ** 63],
    ),
  )
  // Removes negative zero, because literals cannot express it.
  .map((x) => x + 0);

const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."abcXYZ _%\\'.09äßÉñ漢🚀\t"), maxLength: 12 }),
  fc.constantFrom("", " a ", "abcabc", "true", "FALSE"),
  fc.constantFrom("0", "-12", "+7", "007", "9223372036854775808", "1e3", ".5", "x1"),
);

const wholes = fc.oneof(
  fc.nat(40),
  fc.nat(),
  fc.maxSafeNat(),
  fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER),
);

const amounts = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.bigInt({ min: 0n, max: 10n ** 20n }),
  fc.constantFrom(0n, 2n ** 256n - 1n, 2n ** 256n - 500n, 2n ** 255n, 999n, 1500n),
);

/** The first and the last time, and seconds next to the boundaries of days, months and years. */
const EDGES_OF_TIME = [
  ...[0, 86_399, 951_782_400, 1_640_995_200, 1_704_067_199, 1_709_164_800, 1_711_843_200, 2 ** 32 - 1],
];

const times = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fc.integer({ min: 1_400_000_000, max: 1_900_000_000 }),
  fc.constantFrom(...EDGES_OF_TIME),
);

const values: fc.Arbitrary<Values> = fc.record({
  n: wholes,
  a: amounts,
  x: fc.option(doubles),
  y: fc.option(doubles),
  s: fc.option(texts),
  r: fc.option(texts),
  t: times,
});

/** Makes rows of random values in `base_erc20`, for the engine and the interpreter. */
export function valueRows(seed: number, count: number): { statements: Sql[]; source: TableSource } {
  const drawn = fc.sample(values, { numRuns: count, seed });
  const names = ["block_number", "record_index", ...Object.values(VALUE_COLUMNS)];
  const printed = drawn.map((row, i) => sql`(1, ${integer(i)}, ${join(fields(row))})`);
  return {
    statements: [
      sql`CREATE TABLE base_erc20 AS eth_erc20`,
      sql`INSERT INTO base_erc20 (${names.join(", ") as Sql}) VALUES ${join(printed)}`,
    ],
    source: { rows: () => drawn.map(storedRow), chains: ["base"], now: FIXTURE_NOW },
  };
}

function fields({ n, a, x, y, s, r, t }: Values): Sql[] {
  const orNull = <T>(value: T | null, print: (value: T) => Sql) =>
    value === null ? sql`NULL` : print(value);
  const amount = sql`toUInt256(${text(String(a))})`;
  return [
    integer(n),
    amount,
    orNull(x, double),
    orNull(y, double),
    orNull(s, text),
    orNull(r, text),
    integer(t),
  ];
}

function storedRow({ n, a, x, y, s, r, t }: Values, i: number): AnyRow {
  return {
    record_index: i,
    log_index: n,
    value_base: a,
    value_token: x,
    value_usd: y,
    token_symbol: s,
    token_name: r,
    timestamp: t,
  };
}
