import { tableFromIPC } from "apache-arrow";
import { parquetReadObjects } from "hyparquet";

/** Parses each file format into rows of JSON. */
export const READ = {
  json: async (file: Buffer) => JSON.parse(file.toString()),
  ndjson: async (file: Buffer) =>
    file
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  csv: async (file: Buffer) => {
    const [names = [], ...lines] = file
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => line.split(","));
    const cellOf = (text: string): unknown => JSON.parse(text);
    return lines.map((line) =>
      Object.fromEntries(line.map((text, i) => [cellOf(names[i] ?? ""), cellOf(text)])),
    );
  },
  parquet: async (file: Buffer) => {
    const bytes = new Uint8Array(file).buffer;
    return (await parquetReadObjects({ file: bytes })).map(plain);
  },
  arrow: async (file: Buffer) =>
    tableFromIPC(file)
      .toArray()
      .map((row) => plain(row.toJSON())),
};

function plain(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]),
  );
}
