import { identifier, integer, join, type Sql, sql, text } from "../lib/sql-text.ts";
import { type TableName, tableOf } from "../schema/tables.ts";
import { engineTable } from "../storage/ddl.ts";
import type { Engine } from "../storage/store.ts";
import type { Damage } from "./law.ts";

/** Blocks that are compared as one at first: what is held in memory is a row for each of so many. */
const RUN_BLOCKS = 4_096;

/** Unequal runs, and unequal blocks of them, that one examination tells: what is beyond is found by the next. */
const MAX_PLACES = 10_000;

/** Reading both tables once: what that may take. */
const LIMITS = { memoryBytes: 3 * 1024 ** 3, timeoutMs: 10 * 60_000 };

interface Tables {
  chain: string;
  copy: TableName;
  of: TableName;
}

/** Blocks of which a copy does not hold the rows that its table holds. */
export async function unequalCopies(engine: Engine, tables: Tables): Promise<Damage[]> {
  const run = sql`intDiv(block_number, ${integer(RUN_BLOCKS)})`;
  const runs = await engine.query<Unequal>(unequal(tables, { by: run, where: sql`1` }), LIMITS);
  if (runs.length === 0) return [];
  const among = join(runs.map(({ place }) => integer(place)));
  const where = sql`${run} IN (${among})`;
  const blocks = await engine.query<Unequal>(unequal(tables, { by: sql`block_number`, where }), LIMITS);
  return blocks.map(({ place, held, due }) => ({
    first: place,
    last: place,
    rows: Math.max(1, Math.abs(held - due)),
    example: held === due ? "other values" : `${due} trades, ${held} copied`,
  }));
}

interface Unequal {
  place: number;
  held: number;
  due: number;
}

/** Places whose rows differ, in number or in any column of the copy; a sum of hashes does not mind their order. */
function unequal({ chain, copy, of }: Tables, { by, where }: { by: Sql; where: Sql }): Sql {
  const columns = join(Object.keys(tableOf(copy).columns).map(identifier));
  const side = (table: TableName) =>
    sql`SELECT ${by} AS place, ${text(table)} AS name, count() AS rows,
      sum(sipHash64(formatRow('RowBinary', ${columns}))) AS hash
      FROM ${engineTable(chain, table)} WHERE ${where} GROUP BY place`;
  return sql`SELECT place, sumIf(sides.rows, name = ${text(copy)}) AS held,
    sumIf(sides.rows, name = ${text(of)}) AS due
    FROM (${side(copy)} UNION ALL ${side(of)}) AS sides
    GROUP BY place HAVING count() != 2 OR uniqExact(sides.hash) != 1 ORDER BY place LIMIT ${integer(MAX_PLACES)}`;
}
