import fc from "fast-check";
import type { Sql } from "../../../src/engine-sql/sql-text.ts";
import type { ColumnKind } from "../../../src/schema/column.ts";
import { TABLE_NAMES, type TableName } from "../../../src/schema/tables.ts";
import { rowOf } from "../../support/engine/random-rows.ts";
import type { TableSource } from "../oracle/interpret.ts";
import { type AnyRow, FIXTURE_NOW, tableStatements, visibleRowsOf } from "./query-fixture.ts";

const ROWS = 24;

const hex = (...lengths: number[]) =>
  fc
    .oneof(
      ...lengths.map((n) => fc.uint8Array({ minLength: n, maxLength: n })),
      // Makes a few values frequent, so that some rows have equal values.
      ...lengths.map((n) => fc.constantFrom(1, 2).map((byte) => new Uint8Array(n).fill(byte, n - 1))),
    )
    .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);

const words = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."abcXYZ _%\\'.09äßÉñ漢🚀\t"), maxLength: 8 }),
  fc.constantFrom("", "a", "buy", "it's", "100%_\\", "true", "12", "-0.5"),
);

/** Numbers as on real chains. Large numbers have the same sign, so a sum keeps its digits in any order. */
const doubles = fc
  .oneof(
    fc.integer({ min: -2_000, max: 2_000 }).map((n) => n / 8),
    fc.integer({ min: -100_000, max: 100_000 }).map((n) => n / 100),
    fc.double({ min: 0, max: 1e12, noNaN: true }),
    fc.constantFrom(0, 0.5, 1.005, 1e-9),
  )
  // Smaller doubles have fewer digits than the comparison of functions needs.
  .map((x) => (Math.abs(x) < 1e-12 ? 0 : x));

const uints = (bits: bigint) =>
  fc.oneof(fc.bigInt(0n, 2n ** bits - 1n), fc.bigInt(0n, 1_000n), fc.constantFrom(0n, 2n ** bits - 1n));

/** Random values of each kind of column. */
export const RANDOM_VALUES: Record<ColumnKind, fc.Arbitrary<unknown>> = {
  address: hex(20),
  pool_id: hex(20, 32),
  hash: hex(32),
  bytes: hex(0, 4, 36),
  text: words,
  label: words,
  integer: fc.oneof(fc.nat(20), fc.integer({ min: 0, max: 2 ** 45 })),
  uint64: uints(64n),
  small: fc.nat(255),
  wei: uints(128n),
  amount: uints(256n),
  double: doubles,
  time: fc.oneof(fc.nat(4_294_967_295), fc.integer({ min: 1_700_000_000, max: FIXTURE_NOW })),
};

/** Tables of the chain `base` with random rows, for the engine and the interpreter. */
interface RandomTables {
  statements: Sql[];
  source: TableSource;
}

export function randomTables(seed: number): RandomTables {
  const rows = new Map(
    TABLE_NAMES.map((name) => {
      const drawn = fc.sample(rowOf(name, RANDOM_VALUES), { numRuns: ROWS, seed });
      return [name, drawn.map((row, i): AnyRow => ({ ...row, record_index: i }))] as const;
    }),
  );
  const rowsOf = (name: TableName) => rows.get(name) ?? [];
  return {
    statements: TABLE_NAMES.flatMap((name) => tableStatements("base", name, rowsOf(name))),
    source: {
      rows: (_, name) => visibleRowsOf(name, rowsOf(name), Number.MAX_SAFE_INTEGER),
      chains: ["base"],
      now: FIXTURE_NOW,
    },
  };
}
