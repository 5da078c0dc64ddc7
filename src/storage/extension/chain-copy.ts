import { identifier, join, sql, text } from "../../engine-sql/sql-text.ts";
import { TABLE_NAMES } from "../../schema/tables.ts";
import type { Engine } from "../store.ts";
import { engineTableName } from "../tables/ddl.ts";
import { openingTableName } from "../tables/opening-table.ts";
import { summaryTableNames } from "../tables/summary-tables.ts";

/**
 * Returns the name under which the hidden copy of a chain stores its tables. Chain names have no underscores,
 * so no other chain can have this name.
 */
export function copyOf(chain: string): string {
  return `${chain}_extension`;
}

/**
 * Returns the tables of a chain that are exchanged with those of its copy: all except its commits and the
 * balances before its first block.
 */
export function exchangedTables(chain: string): string[] {
  return [...TABLE_NAMES.map((table) => engineTableName(chain, table)), ...summaryTableNames(chain)];
}

/** Drops all tables under the copy's name, and waits until their disk space is free. */
export async function dropCopy(engine: Engine, chain: string): Promise<void> {
  const copy = copyOf(chain);
  const parts = TABLE_NAMES.flatMap((table) =>
    ["copy", "exchange"].map((end) => `${engineTableName(copy, table)}_${end}`),
  );
  for (const name of [`${copy}_commits`, openingTableName(copy), ...parts, ...exchangedTables(copy)]) {
    await engine.execute(sql`DROP TABLE IF EXISTS ${identifier(name)} SYNC`);
  }
}

/** Returns the size on disk of the tables that are exchanged. */
export async function bytesOnDisk(engine: Engine, chain: string): Promise<number> {
  const names = join(exchangedTables(chain).map(text));
  const [found] = await engine.query<{ bytes: number }>(
    sql`SELECT toFloat64(sum(bytes_on_disk)) AS bytes FROM system.parts
      WHERE database = currentDatabase() AND active AND table IN (${names})`,
  );
  return found?.bytes ?? 0;
}
