import type { Sql } from "../../../src/engine-sql/sql-text.ts";
import { TABLE_NAMES, type TableName, tableOf } from "../../../src/schema/tables.ts";
import { startSource } from "../processes/processes.ts";

export type Checksums = Record<string, { rows: number; hash: string }>;

/**
 * The query for a table's row count and hash, bit for bit, independent of the order of rows in its parts. It
 * hashes the rows' encoded form: a hash over the columns would be null as soon as one of them is.
 */
function checksumQuery(chain: string, table: TableName): Sql {
  const columns = Object.keys(tableOf(table).columns).sort().join(", ");
  const rowHash = `sipHash64(formatRow('RowBinary', ${columns}))`;
  return `SELECT toUInt32(count()) AS rows, hex(groupBitXor(${rowHash})) AS hash FROM ${chain}_${table}` as Sql;
}

/** The queries for all tables of a chain. */
export function checksumQueries(chain: string): { name: TableName; query: Sql }[] {
  return TABLE_NAMES.map((name) => ({ name, query: checksumQuery(chain, name) }));
}

/**
 * Rows and hash of every table of a data directory, bit for bit.
 * Reads in a separate process, because the engine opens one directory per process.
 */
export async function tableChecksums(data: string, chain: string): Promise<Checksums> {
  const queries = JSON.stringify(checksumQueries(chain));
  const running = startSource("test/support/engine/read-checksums.ts", [data, queries]);
  const { code, stdout, stderr } = await running.finished;
  if (code !== 0) throw new Error(`cannot read checksums: ${stderr}`);
  const checksums = JSON.parse(stdout) as Checksums;
  const blind = Object.entries(checksums).filter(([, { hash }]) => typeof hash !== "string");
  if (blind.length > 0)
    throw new Error(`no hash of ${blind.map(([name]) => name)}: nothing would be compared`);
  return checksums;
}
