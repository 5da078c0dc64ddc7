import { join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Engine } from "../store.ts";

/** The properties of the store on which the table engine depends. */
export type TableHost = Pick<Engine, "isReplicated">;

/**
 * By default, a replicated table drops rows that equal rows of an earlier insert, such as the rows of a block
 * that returns after a reorg. Newer servers do so even with `insert_deduplicate = 0`.
 */
const KEEP_EQUAL_ROWS = sql`replicated_deduplication_window = 0`;

/**
 * By default, a replicated table stays read-only after a crash if more than half of the rows on this replica
 * are missing from the Keeper's list. In a small table, one rollback is enough for that. The other replicas
 * have every row, so this one can fetch what it lacks.
 */
const COMPLETE_FROM_OTHERS = sql`replicated_max_ratio_of_wrong_parts = 1`;

const REPLICA_SETTINGS: readonly Sql[] = [KEEP_EQUAL_ROWS, COMPLETE_FROM_OTHERS];

/**
 * Prints the clauses after the columns of a table. A replicated database copies the definitions of its tables
 * to all replicas, and the tables copy their rows.
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
