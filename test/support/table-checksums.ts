import { join } from "node:path";
import type { Sql } from "../../src/lib/sql-text.ts";
import { TABLE_NAMES, tableOf } from "../../src/schema/tables.ts";
import { ROOT, startProcess } from "./processes.ts";

export type Checksums = Record<string, { rows: number; hash: string }>;

/** The columns of a table that the chain alone decides: all of them. */
function columnsOf(name: (typeof TABLE_NAMES)[number]): string {
  return Object.keys(tableOf(name).columns).sort().join(", ");
}

/** The question for the rows and hash of each table, whatever the order of rows in its parts. */
export function checksumQueries(chain: string): { name: string; query: Sql }[] {
  return TABLE_NAMES.map((name) => ({
    name,
    query: `SELECT toUInt32(count()) AS rows, hex(groupBitXor(sipHash64(${columnsOf(name)}))) AS hash
      FROM ${chain}_${name}` as Sql,
  }));
}

/**
 * Rows and hash of every table of a data directory, bit for bit.
 * Read in a process of its own, because the engine opens one directory a process.
 */
export async function tableChecksums(data: string, chain: string): Promise<Checksums> {
  const reader = join(import.meta.dirname, "read-checksums.ts");
  const queries = checksumQueries(chain);
  const running = startProcess(process.execPath, ["--import", "tsx", reader, data, JSON.stringify(queries)], {
    UV_THREADPOOL_SIZE: "16",
    NODE_PATH: join(ROOT, "node_modules"),
  });
  const { code, stdout, stderr } = await running.finished;
  if (code !== 0) throw new Error(`cannot read checksums: ${stderr}`);
  return JSON.parse(stdout);
}
