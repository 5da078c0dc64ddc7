import { identifier, type Sql } from "../../engine-sql/sql-text.ts";
import type { TableName } from "../../schema/tables.ts";
import { engineTableName } from "./ddl.ts";

/** The only table whose committed rows get new values. The number of its rows stays the same. */
export const AMENDED_TABLE = "token_balances" satisfies TableName;

/**
 * Names the copy with the new rows. It exists from the moment the change takes effect until the commit that
 * makes it visible. Meanwhile, readers wait, and after a crash, the next start completes the change.
 */
export function amendedTableName(chain: string): string {
  return `${engineTableName(chain, AMENDED_TABLE)}_amended`;
}

/** Names the copy while it is written. Nothing depends on it, so it is dropped after a crash. */
export function draftTableName(chain: string): string {
  return `${engineTableName(chain, AMENDED_TABLE)}_draft`;
}

export function draftTable(chain: string): Sql {
  return identifier(draftTableName(chain));
}

export function amendedTable(chain: string): Sql {
  return identifier(amendedTableName(chain));
}
