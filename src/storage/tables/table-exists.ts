import { sql, text } from "../../engine-sql/sql-text.ts";
import type { Engine } from "../store.ts";

/** Returns whether the database has a table. */
export async function tableExists(engine: Engine, name: string): Promise<boolean> {
  const found = await engine.query(
    sql`SELECT 1 AS found FROM system.tables WHERE database = currentDatabase() AND name = ${text(name)}`,
  );
  return found.length > 0;
}
