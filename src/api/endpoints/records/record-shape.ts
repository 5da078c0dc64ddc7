import { z } from "zod";
import type { Column, ColumnKind } from "../../../schema/column.ts";
import { EVERYTHING, keptColumns } from "../../../schema/scope.ts";
import { publicColumns, type Table } from "../../../schema/table.ts";

const SHAPES: Record<ColumnKind, z.ZodType> = {
  address: z.string(),
  pool_id: z.string(),
  hash: z.string(),
  bytes: z.string(),
  text: z.string(),
  label: z.string(),
  integer: z.int(),
  uint64: z.union([z.int(), z.string()]),
  small: z.int(),
  wei: z.union([z.int(), z.string()]),
  amount: z.string(),
  double: z.number(),
  time: z.int(),
};

type RecordOfTable = Record<string, unknown>;

/**
 * Makes the shape of a table's record in REST responses: all public columns, in order. Columns that an index
 * may omit are optional.
 */
export function recordShape(table: Table): z.ZodType<RecordOfTable> {
  const kept = keptColumns({ ...EVERYTHING, keep: "no-input" }, table);
  const isOptional = (name: string) => kept.every(([known]) => known !== name);
  return z.strictObject(
    Object.fromEntries(
      publicColumns(table).map(([name, column]) => {
        const shape = shapeOf(column);
        return [name, isOptional(name) ? shape.optional() : shape];
      }),
    ),
  );
}

function shapeOf({ kind, nullable, doc, unit }: Column): z.ZodType {
  const shape = nullable ? SHAPES[kind].nullable() : SHAPES[kind];
  return shape.describe(unit === undefined ? doc : `${doc}, ${unit}`);
}

const EXAMPLES: Record<ColumnKind, unknown> = {
  address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  pool_id: "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640",
  hash: "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
  bytes: "0xa9059cbb",
  text: "WETH",
  label: "WETH",
  integer: 12,
  uint64: 21_000,
  small: 1,
  wei: 20_000_000_000,
  amount: "10000000000000000",
  double: 22.5,
  time: 1_704_412_823,
};

const EXAMPLES_BY_NAME: Record<string, unknown> = {
  block_number: 18_937_382,
  record_index: 9_928_642_134_028,
  token_name: "Wrapped Ether",
  protocol_name: "uniswap_v3",
  side: "buy",
  contract_address: null,
};

export function exampleRecord(table: Table): RecordOfTable {
  const values = publicColumns(table).map(([name, { kind }]) => [
    name,
    Object.hasOwn(EXAMPLES_BY_NAME, name) ? EXAMPLES_BY_NAME[name] : EXAMPLES[kind],
  ]);
  return Object.fromEntries(values);
}
