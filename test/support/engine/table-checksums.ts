import type { Sql } from "../../../src/engine-sql/sql-text.ts";
import { TABLE_NAMES, type TableName, tableOf } from "../../../src/schema/tables.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { startSource } from "../processes/processes.ts";
import { type Checksums, readChecksums } from "./read-checksums.ts";

export type { Checksums };

/**
 * Returns the query for a table's row count and hash. The hash covers every bit and does not depend on the
 * order of rows in parts. It hashes the encoded form of the rows: a hash over the columns would be null if
 * any column is null.
 */
function checksumQuery(chain: string, table: TableName, without: ReadonlySet<string>): Sql {
  const names = Object.keys(tableOf(table).columns).filter((name) => !without.has(name));
  const columns = names.sort().join(", ");
  const rowHash = `sipHash64(formatRow('RowBinary', ${columns}))`;
  return `SELECT toUInt32(count()) AS rows, hex(groupBitXor(${rowHash})) AS hash FROM ${chain}_${table}` as Sql;
}

/**
 * Returns the checksum queries for all tables of a chain. The origin of blocks is left out, because endpoints
 * and files must otherwise give the same rows.
 *
 * @param comparesProof if false, the proof of blocks is also left out, because some files prove less
 */
export function checksumQueries(chain: string, comparesProof = true): { name: TableName; query: Sql }[] {
  const without = new Set(comparesProof ? ["origin"] : ["origin", "proof"]);
  return TABLE_NAMES.map((name) => ({ name, query: checksumQuery(chain, name, without) }));
}

/** Returns the row count and hash of every table. The hash covers every bit. */
export async function checksums(engine: Engine, chain: string, comparesProof = true): Promise<Checksums> {
  const found: Checksums = {};
  for (const { name, query } of checksumQueries(chain, comparesProof)) {
    const [row] = await engine.query<{ rows: number; hash: string }>(query);
    if (typeof row?.hash !== "string") throw new Error(`no hash of ${name}: nothing would be compared`);
    found[name] = row;
  }
  return found;
}

/**
 * Returns the row count and hash of every table in a data directory. This process must not have an engine
 * open.
 */
export async function tableChecksums(data: string, chain: string): Promise<Checksums> {
  return requireHashes(await readChecksums(data, checksumQueries(chain)));
}

/**
 * Does the same as `tableChecksums` in a separate process, because an engine can open only one directory per
 * process.
 */
export async function tableChecksumsApart(data: string, chain: string): Promise<Checksums> {
  const queries = JSON.stringify(checksumQueries(chain));
  const running = startSource("test/support/engine/print-checksums.ts", [data, queries]);
  const { code, stdout, stderr } = await running.finished;
  if (code !== 0) throw new Error(`cannot read checksums: ${stderr}`);
  return requireHashes(JSON.parse(stdout));
}

function requireHashes(checksums: Checksums): Checksums {
  const blind = Object.entries(checksums).filter(([, { hash }]) => typeof hash !== "string");
  if (blind.length > 0)
    throw new Error(`no hash of ${blind.map(([name]) => name)}: nothing would be compared`);
  return checksums;
}
