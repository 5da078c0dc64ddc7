import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { double, integer, join, type Sql, sql, text } from "../../src/engine-sql/sql-text.ts";
import { compileSql } from "../../src/sql/compile.ts";
import { type Row, SECOND_IMPLEMENTATION } from "./oracle/second-implementation.ts";
import { type FixtureEngine, fixtureContext, openFixture } from "./support/query-engine.ts";

const SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);
const ROWS = 400;

const doubles = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.integer({ min: -2_000, max: 2_000 }).map((n) => n / 8),
    fc.integer({ min: -100_000, max: 100_000 }).map((n) => n / 100),
    fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }).map((n) => n / 1e6),
    fc.constantFrom(
      0,
      0.5,
      -0.5,
      1.5,
      2.5,
      -2.5,
      0.285,
      1.005,
      1e308,
      -1e308,
      5e-324,
      4503599627370497,
      2 ** 63,
    ),
  )
  // Literals have no negative zero.
  .map((x) => x + 0);
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."abcXYZ _%\\'.09äßÉñ漢🚀\t"), maxLength: 12 }),
  fc.constantFrom(
    "",
    " a ",
    "abcabc",
    "true",
    "FALSE",
    "0",
    "-12",
    "+7",
    "007",
    "9223372036854775808",
    "1e3",
    ".5",
    "x1",
  ),
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
const times = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fc.integer({ min: 1_400_000_000, max: 1_900_000_000 }),
  fc.constantFrom(
    0,
    86_399,
    2 ** 32 - 1,
    951_782_400,
    1_709_164_800,
    1_711_843_200,
    1_704_067_199,
    1_640_995_200,
  ),
);
const rows: fc.Arbitrary<Row> = fc.record({
  n: wholes,
  a: amounts,
  x: fc.option(doubles),
  y: fc.option(doubles),
  s: fc.option(texts),
  r: fc.option(texts),
  t: times,
});

let engine: FixtureEngine;
const sample = fc.sample(rows, { numRuns: ROWS, seed: SEED });

beforeAll(async () => {
  engine = await openFixture();
  await engine.run("CREATE TABLE base_erc20 AS eth_erc20");
  const values = sample.map((row, i) => sql`(1, ${integer(i)}, ${join(fields(row))})`);
  const columns =
    "block_number, record_index, log_index, value_base, value_token, value_usd, token_symbol, token_name, timestamp";
  await engine.run(`INSERT INTO base_erc20 (${columns}) VALUES ${join(values)}`);
});

afterAll(async () => {
  await engine.close();
});

function fields({ n, a, x, y, s, r, t }: Row): Sql[] {
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

const COLUMNS: Record<string, string> = {
  n: "log_index",
  a: "value_base",
  x: "value_token",
  y: "value_usd",
  s: "token_symbol",
  r: "token_name",
  t: "timestamp",
};

describe("each function gives what JavaScript gives", () => {
  it.each(SECOND_IMPLEMENTATION)("$expression", async ({ expression, value, near = 0 }) => {
    const query = expression.replaceAll(/'[^']*'|\b[naxysrt]\b/g, (name) => COLUMNS[name] ?? name);
    const { print } = compileSql(
      `SELECT ${query} AS v FROM base_erc20 ORDER BY record_index`,
      fixtureContext,
    );
    const answers = (await engine.lines(print(10))).map((line) => JSON.parse(line).v as unknown);
    expect(answers).toHaveLength(ROWS);
    for (const [i, row] of sample.entries()) {
      const expected = value(row);
      const message = `${expression} of ${JSON.stringify(row, (_, v) => (typeof v === "bigint" ? String(v) : v))}`;
      if (near > 0 && typeof expected === "number" && typeof answers[i] === "number") {
        const distance = Math.abs(expected - answers[i]);
        expect(distance, message).toBeLessThanOrEqual(near * Math.max(1e-300, Math.abs(expected)));
      } else expect(normal(answers[i]), message).toEqual(normal(expected));
    }
  });
});

/** What an answer shows: no NaN, no infinity, and one zero. */
function normal(value: unknown): unknown {
  if (typeof value !== "number") return value;
  return Number.isFinite(value) ? value + 0 : null;
}
