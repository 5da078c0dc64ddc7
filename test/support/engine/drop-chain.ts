import { identifier, sql, text } from "../../../src/engine-sql/sql-text.ts";
import type { Engine } from "../../../src/storage/store.ts";

/** Drops every table of a chain, including derived ones. */
export async function dropChain(engine: Engine, chain: string): Promise<void> {
  const tables = await engine.query<{ name: string }>(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, ${text(`${chain}_`)})`,
  );
  for (const { name } of tables) await engine.execute(sql`DROP TABLE ${identifier(name)} SYNC`);
}
