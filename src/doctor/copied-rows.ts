import { identifier, join, sql } from "../lib/sql-text.ts";
import { type TableName, tableOf } from "../schema/tables.ts";
import { engineTable } from "../storage/ddl.ts";
import type { Engine } from "../storage/store.ts";
import type { Damage } from "./law.ts";
import { type Places, unequalBlocks } from "./unequal-blocks.ts";

interface Tables {
  chain: string;
  copy: TableName;
  of: TableName;
}

/**
 * Blocks of which a copy does not hold the rows that its table holds, in number or in any column of the copy; a sum of
 * hashes does not mind their order.
 */
export function unequalCopies(engine: Engine, { chain, copy, of }: Tables): Promise<Damage[]> {
  const columns = join(Object.keys(tableOf(copy).columns).map(identifier));
  const rowsOf =
    (table: TableName) =>
    ({ place, where }: Places) =>
      sql`SELECT ${place} AS place, count() AS n, sum(sipHash64(formatRow('RowBinary', ${columns}))) AS digest
        FROM ${engineTable(chain, table)} WHERE ${where} GROUP BY place`;
  return unequalBlocks(engine, {
    due: rowsOf(of),
    held: rowsOf(copy),
    where: sql`1`,
    example: ({ due, held }) => (held === due ? "other values" : `${due} trades, ${held} copied`),
  });
}
