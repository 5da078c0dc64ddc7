import { sql } from "../../engine-sql/sql-text.ts";
import { DiskFull } from "../engines/engine-failure.ts";
import type { Engine } from "../store.ts";

/** Minimum free space: many times the size of all table definitions. */
const LEAST_ROOM_BYTES = 16 * 1024 * 1024;

/**
 * Must be called before a statement that writes a table's definition. On a full disk the engine writes an
 * empty definition file without noticing, and cannot open the directory again: all its data would be lost.
 *
 * @throws DiskFull
 */
export async function requireRoom(engine: Engine): Promise<void> {
  const [disk] = await engine.query<{ bytes: number }>(
    sql`SELECT toFloat64(min(free_space)) AS bytes FROM system.disks`,
  );
  if (disk !== undefined && disk.bytes < LEAST_ROOM_BYTES) throw new DiskFull();
}
