import { identifier, integer, join, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import { type TableName, tableOf } from "../../../schema/tables.ts";
import type { Engine } from "../../../storage/store.ts";
import { engineTable } from "../../../storage/tables/ddl.ts";
import type { Damage } from "../../invariant.ts";
import { type Groups, unequalBlocks } from "./unequal-blocks.ts";

interface UnequalCopiesOptions {
  chain: string;
  copy: TableName;
  of: TableName;
  /** Selects the rows that are copied; default: all. */
  where?: Sql;
  /** First block that is compared; default: all. */
  first?: number;
}

/**
 * Finds the blocks whose rows in a copy differ from the rows in the original table, in number or in any
 * column of the copy. Compares rows by a sum of hashes, which does not depend on their order.
 */
export function unequalCopies(
  engine: Engine,
  { chain, copy, of, where: copied = sql`1`, first = 0 }: UnequalCopiesOptions,
): Promise<Damage[]> {
  const columns = join(
    Object.entries(tableOf(copy).columns).map(([name, { nullable }]) =>
      nullable ? identifier(name) : sql`assumeNotNull(${identifier(name)})`,
    ),
  );
  const rowsOf =
    (table: TableName, which: Sql) =>
    ({ group, where }: Groups) =>
      sql`SELECT ${group} AS position, count() AS n, sum(sipHash64(formatRow('RowBinary', ${columns}))) AS digest
        FROM ${engineTable(chain, table)} WHERE ${where} AND ${which} GROUP BY position`;
  return unequalBlocks(engine, {
    expected: rowsOf(of, copied),
    stored: rowsOf(copy, sql`1`),
    where: first === 0 ? sql`1` : sql`block_number >= ${integer(first)}`,
    example: ({ expected, stored }) =>
      stored === expected ? "values differ" : `${expected} rows, ${stored} copied`,
  });
}
