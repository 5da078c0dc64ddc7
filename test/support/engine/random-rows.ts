import fc from "fast-check";
import type { Column, ColumnKind } from "../../../src/schema/column.ts";
import { type RecordNumbering, recordIndexOf } from "../../../src/schema/record-index.ts";
import { type Rows, TABLE_NAMES, type TableName, tableOf } from "../../../src/schema/tables.ts";
import type { Batch } from "../../../src/storage/store.ts";

type AnyRow = Record<string, unknown>;

const hex = (min: number, max: number) =>
  fc.uint8Array({ minLength: min, maxLength: max }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);

const uint256 = fc.oneof(
  fc.bigInt(0n, 2n ** 256n - 1n),
  fc.bigInt(0n, 2n ** 64n),
  fc.constant(2n ** 256n - 1n),
);
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom("", "\u0000", "é€😀", "'\\\n\t\"`", "x".repeat(200)),
);

type ValuesByKind = Readonly<Record<ColumnKind, fc.Arbitrary<unknown>>>;

const VALUES: ValuesByKind = {
  address: hex(20, 20),
  pool_id: fc.oneof(hex(20, 20), hex(32, 32)),
  hash: hex(32, 32),
  bytes: hex(0, 300),
  text: anyText,
  label: anyText,
  integer: fc.oneof(fc.nat(), fc.maxSafeNat()),
  uint64: fc.oneof(fc.bigInt(0n, 2n ** 64n - 1n), fc.bigInt(0n, 2n ** 53n)),
  small: fc.integer({ min: 0, max: 255 }),
  wei: uint256,
  amount: uint256,
  double: fc.double({ noNaN: true, noDefaultInfinity: true }),
  time: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
};

/** Generates rows that fit the table's columns, with the given values for each kind of column. */
export function rowOf(table: TableName, values: ValuesByKind = VALUES): fc.Arbitrary<AnyRow> {
  const fieldOf = ({ kind, nullable }: Column) =>
    nullable ? fc.option(values[kind], { nil: null }) : values[kind];
  const columns = Object.entries(tableOf(table).columns);
  return fc.record(Object.fromEntries(columns.map(([name, column]) => [name, fieldOf(column)])));
}

const sampled = new Map<TableName, AnyRow[]>();

function sampleOf(table: TableName): AnyRow[] {
  let rows = sampled.get(table);
  if (rows === undefined) {
    rows = fc.sample(rowOf(table), { numRuns: 64, seed: 7 });
    sampled.set(table, rows);
  }
  return rows;
}

interface BlockRange {
  first: number;
  last: number;
  rowsPerTable: number;
  /** Distinguishes blocks with the same number on different forks. */
  fork?: string;
  /** Default: wide. */
  numbering?: RecordNumbering;
}

/**
 * Makes a batch with `rowsPerTable` rows in every table for every block. Timestamps are twelve seconds apart.
 */
export function batchOf(range: BlockRange): Batch {
  const { first, last, rowsPerTable, fork = "a", numbering = "wide" } = range;
  const rows: Record<string, AnyRow[]> = {};
  for (const table of TABLE_NAMES) {
    rows[table] = [];
    for (let block = first; block <= last; block++) {
      for (let i = 0; i < rowsPerTable; i++)
        rows[table].push(placedRow(table, { block, ordinal: i, fork, numbering }));
    }
  }
  return { firstBlock: first, lastBlock: blockNamed(last, fork), rows: rows as Rows };
}

interface Place {
  block: number;
  ordinal: number;
  fork: string;
  numbering: RecordNumbering;
}

function placedRow(table: TableName, place: Place): AnyRow {
  const { block, ordinal, fork, numbering } = place;
  const sample = sampleOf(table);
  const nth = block * 31 + ordinal + 7 * fork.charCodeAt(0);
  const row = { ...sample[nth % sample.length], record_index: recordIndexOf(numbering, block, ordinal) };
  const { blockColumn, partitionBy } = tableOf(table);
  return { ...row, [blockColumn]: block, ...(partitionBy && { [partitionBy]: timeOf(block) }) };
}

export function blockNamed(number: number, fork = "a"): Batch["lastBlock"] {
  const hash: `0x${string}` = `0x${fork}${String(number).padStart(63, "0")}`;
  return { number, hash, timestamp: timeOf(number) };
}

function timeOf(block: number): number {
  return 1_700_000_000 + 12 * block;
}
