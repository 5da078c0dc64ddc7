import { engineType } from "../../engine-sql/column-types.ts";
import { identifier, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Column } from "../../schema/column.ts";
import { openingBalances } from "../../schema/tables/opening-balances.ts";
import { type TableHost, tableEngine } from "./table-engine.ts";

/** Returns the name of a chain's table of balances before its first block. */
export function openingTableName(chain: string): string {
  return `${chain}_${openingBalances.name}`;
}

/** Returns that table, as an identifier. */
export function openingTable(chain: string): Sql {
  return identifier(openingTableName(chain));
}

/** Prints the statement that creates the table; running it again changes nothing. */
export function createOpeningTable(host: TableHost, chain: string): Sql {
  const columns = Object.entries(openingBalances.columns).map(
    ([name, column]: [string, Column]) => sql`${identifier(name)} ${engineType(column)}`,
  );
  const order = join(openingBalances.order.map(identifier));
  return sql`CREATE TABLE IF NOT EXISTS ${openingTable(chain)} (${join(columns)})
    ${tableEngine(host, sql`ReplacingMergeTree(version)`, sql`ORDER BY (${order})`)}`;
}
