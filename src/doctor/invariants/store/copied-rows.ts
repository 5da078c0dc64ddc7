import { identifier, join, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import { type TableName, tableOf } from "../../../schema/tables.ts";
import type { Engine } from "../../../storage/store.ts";
import { engineTable } from "../../../storage/tables/ddl.ts";
import type { Damage } from "../../invariant.ts";
import { type Places, unequalBlocks } from "./unequal-blocks.ts";

interface Tables {
  chain: string;
  copy: TableName;
  of: TableName;
  /** Which rows are copied; absent: all. */
  where?: Sql;
}

/**
 * Blocks of which a copy does not hold the rows that its table holds, in number or in any column of the copy; a sum of
 * hashes does not mind their order.
 */
export function unequalCopies(
  engine: Engine,
  { chain, copy, of, where: copied = sql`1` }: Tables,
): Promise<Damage[]> {
  const columns = join(
    Object.entries(tableOf(copy).columns).map(([name, { nullable }]) =>
      nullable ? identifier(name) : sql`assumeNotNull(${identifier(name)})`,
    ),
  );
  const rowsOf =
    (table: TableName, which: Sql) =>
    ({ place, where }: Places) =>
      sql`SELECT ${place} AS place, count() AS n, sum(sipHash64(formatRow('RowBinary', ${columns}))) AS digest
        FROM ${engineTable(chain, table)} WHERE ${where} AND ${which} GROUP BY place`;
  return unequalBlocks(engine, {
    due: rowsOf(of, copied),
    held: rowsOf(copy, sql`1`),
    where: sql`1`,
    example: ({ due, held }) => (held === due ? "other values" : `${due} rows, ${held} copied`),
  });
}
