import { join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Engine } from "../store.ts";

/** What a table's engine depends on. */
export type TableHost = Pick<Engine, "isReplicated">;

/**
 * By default, a table stays read-only if more than half of the rows that a replica has after a crash are not those
 * that its Keeper lists, which a rollback of a small table suffices for. Every row of Quarry is on the other
 * replicas, so this one can always be completed from them.
 */
const REPLICA_SETTINGS: readonly Sql[] = [sql`replicated_max_ratio_of_wrong_parts = 1`];

/**
 * Prints what follows the columns of a table. A replicated database copies the definitions of its tables to all
 * replicas, and the tables copy their rows.
 *
 * @param family e.g. `MergeTree`, `ReplacingMergeTree(version)`
 * @param order from ORDER BY on, or from PARTITION BY on
 */
export function tableEngine(
  { isReplicated = false }: TableHost,
  family: Sql,
  order: Sql,
  settings: readonly Sql[] = [],
): Sql {
  const all = isReplicated ? [...settings, ...REPLICA_SETTINGS] : settings;
  const engine = isReplicated ? sql`ENGINE = Replicated${family}` : sql`ENGINE = ${family}`;
  return all.length === 0 ? sql`${engine} ${order}` : sql`${engine} ${order} SETTINGS ${join(all)}`;
}
