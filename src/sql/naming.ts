import { join, type Sql, sql } from "../lib/sql-text.ts";

/**
 * Names values inside of what is computed from them. Written out in each place, the text of a value would grow with each
 * level of nesting. Names inside of what others' values are computed from must differ from theirs.
 */
export function naming(named: readonly (readonly [name: Sql, value: Sql])[], result: Sql): Sql {
  const names = join(named.map(([name]) => name));
  const values = join(named.map(([, value]) => sql`[${value}]`));
  return sql`arrayElement(arrayMap((${names}) -> ${result}, ${values}), 1)`;
}
