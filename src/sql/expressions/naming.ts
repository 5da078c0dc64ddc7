import { join, type Sql, sql } from "../../engine-sql/sql-text.ts";

type Named = readonly [name: Sql, value: Sql];

/**
 * Names values inside of what is computed from them. Written out in each place, the text of a value would grow with each
 * level of nesting. What clients write belongs into values alone, never into the result: there a name of ours could stand for it.
 */
export function naming(named: readonly Named[], result: Sql): Sql {
  const names = join(named.map(([name]) => name));
  const values = join(named.map(([, value]) => sql`[${value}]`));
  return sql`arrayElement(arrayMap((${names}) -> ${result}, ${values}), 1)`;
}

/** Names one value after another, each of which may use those before it. */
export function stepwise(steps: readonly Named[], result: Sql): Sql {
  return steps.reduceRight((inner, step) => naming([step], inner), result);
}
