import { tableFromIPC } from "apache-arrow";
import { parquetReadObjects } from "hyparquet";

type Row = Record<string, unknown>;

/**
 * Functions that read the rows of an answer in each format, with libraries that are independent of the
 * engine, and return them in the form of JSON.
 */
export const READERS = {
  json: async (bytes: Buffer): Promise<Row[]> => JSON.parse(bytes.toString()),
  ndjson: async (bytes: Buffer): Promise<Row[]> => {
    const lines = bytes.toString().split("\n");
    if (lines.pop() !== "") throw new Error("the last line does not end with a line break");
    return lines.map((line) => JSON.parse(line));
  },
  parquet: async (bytes: Buffer): Promise<Row[]> => {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    const rows = await parquetReadObjects({ file });
    return rows.map((row) => mapped(row, (value) => (value instanceof Date ? value.toISOString() : value)));
  },
  arrow: async (bytes: Buffer): Promise<Row[]> => {
    const table = tableFromIPC(bytes);
    const times = table.schema.fields.filter(({ type }) => String(type).startsWith("Timestamp<MILLI"));
    return table.toArray().map((row) => {
      const values = mapped(row.toJSON(), (value) => value);
      for (const { name } of times) {
        if (values[name] !== null) values[name] = new Date(Number(values[name])).toISOString();
      }
      return values;
    });
  },
};

/**
 * Returns a row with its integers in the form of JSON, and with `change` applied to all other values. Readers
 * return 64-bit integers as bigint; in JSON, integers of 2^53 or more are strings of digits.
 */
function mapped(row: Row, change: (value: unknown) => unknown): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (typeof value !== "bigint") return [name, change(value)];
      return [name, Number.isSafeInteger(Number(value)) ? Number(value) : String(value)];
    }),
  );
}
