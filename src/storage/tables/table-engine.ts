import { type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Engine } from "../store.ts";

/** What the clause depends on. */
export type TableHost = Pick<Engine, "isReplicated">;

/**
 * Prints a table's ENGINE clause. A replicated database copies the definitions of its tables to all replicas, and
 * the tables copy their rows.
 *
 * @param family e.g. `MergeTree`, `ReplacingMergeTree(version)`
 */
export function tableEngine({ isReplicated = false }: TableHost, family: Sql): Sql {
  return isReplicated ? sql`ENGINE = Replicated${family}` : sql`ENGINE = ${family}`;
}
