import { join, type Sql, sql } from "../../engine-sql/sql-text.ts";

type Named = readonly [name: Sql, value: Sql];

/**
 * Binds names to values within an expression. A value that is used several times is printed only once, so the
 * text does not grow with each level of nesting. A client's expression may be a value, but must not be inside
 * the result, where one of these names could hide one of the client's names.
 */
export function naming(named: readonly Named[], result: Sql): Sql {
  const names = join(named.map(([name]) => name));
  const values = join(named.map(([, value]) => sql`[${value}]`));
  return sql`arrayElement(arrayMap((${names}) -> ${result}, ${values}), 1)`;
}

/** Binds names one after another. Each value may use the names before it. */
export function stepwise(steps: readonly Named[], result: Sql): Sql {
  return steps.reduceRight((inner, step) => naming([step], inner), result);
}
