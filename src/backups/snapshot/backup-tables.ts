import type { Sql } from "../../engine-sql/sql-text.ts";
import { TABLE_NAMES } from "../../schema/tables.ts";
import { createChainRegistry } from "../../storage/commits/chain-registry.ts";
import type { Engine } from "../../storage/store.ts";
import { engineTableName } from "../../storage/tables/ddl.ts";
import { openingTableName } from "../../storage/tables/opening-table.ts";
import { defineTables } from "../../storage/tables/table-definitions.ts";
import type { TableHost } from "../../storage/tables/table-engine.ts";

/** Name of the table that lists the chains, and what each chain stores. */
export const REGISTRY_TABLE = "chains";

/** A table that belongs to the store, not to a chain, such as a table of webhooks. */
export interface StoreTable {
  name: string;
  create(host: TableHost): Sql;
}

/** Returns the names of a chain's tables, except the tables of its commits and its price summary. */
export function blockTables(chain: string): string[] {
  return [...TABLE_NAMES.map((table) => engineTableName(chain, table)), openingTableName(chain)];
}

/** Creates the empty tables of the chains and of the store. */
export async function createTables(
  engine: Engine,
  chains: readonly string[],
  storeTables: readonly StoreTable[],
): Promise<void> {
  await createChainRegistry(engine);
  for (const { create } of storeTables) await engine.execute(create(engine));
  for (const chain of chains) await defineTables(engine, chain);
}
