import { identifier, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { TABLE_NAMES, type TableName } from "../../schema/tables.ts";
import { amendedTableName } from "./amended-table.ts";
import { engineTableName, exchangeTableName } from "./ddl.ts";

/** Names the copy of the partitions of a table in which a repair replaces rows. The copy has the new rows. */
export function replacementTableName(chain: string, table: TableName): string {
  return `${engineTableName(chain, table)}_replacement`;
}

/**
 * Names the list of the partitions that these copies replace. It exists from the moment the replacement takes
 * effect until the commit that makes it visible. Meanwhile, readers wait, and after a crash, the next start
 * completes the replacement.
 */
export function replacedPartitionsName(chain: string): string {
  return `${chain}_replaced_partitions`;
}

/** Names the list while it is written. Nothing depends on it, so it is dropped after a crash. */
export function draftPartitionsName(chain: string): string {
  return `${chain}_replaced_partitions_draft`;
}

export function replacedPartitions(chain: string): Sql {
  return identifier(replacedPartitionsName(chain));
}

/** Returns the names of all tables that a repair may leave if it is interrupted; the list comes first. */
export function replacementTableNames(chain: string): string[] {
  const copies = TABLE_NAMES.map((table) => replacementTableName(chain, table));
  return [replacedPartitionsName(chain), draftPartitionsName(chain), ...copies];
}

/**
 * Prints an expression for the number of changes of committed rows, by an amendment or a repair, that are
 * under way or were interrupted.
 */
export function isRewriting(chain: string): Sql {
  return countTables(rewritingNames(chain));
}

/**
 * Prints an expression for the number of changes of committed rows (see `isRewriting`) and exchanges of
 * partitions that are under way or were interrupted. While the number is not 0, rows may be incomplete or, if
 * the engine was killed during an exchange, stored twice.
 */
export function isMixed(chain: string): Sql {
  const exchanges = TABLE_NAMES.map((table) => exchangeTableName(chain, table));
  return countTables([...rewritingNames(chain), ...exchanges]);
}

function rewritingNames(chain: string): string[] {
  return [amendedTableName(chain), replacedPartitionsName(chain)];
}

function countTables(names: readonly string[]): Sql {
  return sql`(SELECT count() FROM system.tables WHERE database = currentDatabase()
    AND name IN (${join(names.map(text))}))`;
}
