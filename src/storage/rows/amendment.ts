import { sql } from "../../engine-sql/sql-text.ts";
import type { Engine } from "../store.ts";
import { AMENDED_TABLE, amendedTable, isAmending } from "../tables/amended-table.ts";
import { engineTable } from "../tables/ddl.ts";
import {
  copyPartitions,
  isOvertaken,
  type PartitionChange,
  RebuildOvertaken,
  replacePartitions,
} from "./partition-copy.ts";

/** A merge may replace a part of the table while it is copied; then the copy starts over. */
const MAX_ATTEMPTS = 20;

/** Rows of committed blocks that get other values. */
export type Amendment = Omit<PartitionChange, "table" | "changed"> &
  Required<Pick<PartitionChange, "changed">>;

/**
 * Writes the new rows to a copy, which takes long but changes nothing that readers see.
 *
 * @returns the step that replaces the rows
 */
export async function prepareAmendment(engine: Engine, amendment: Amendment): Promise<() => Promise<void>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      const { copy } = await copyPartitions(engine, { ...amendment, table: AMENDED_TABLE });
      return async () => {
        await engine.execute(sql`RENAME TABLE ${copy} TO ${amendedTable(amendment.chain)}`);
        await replaceRows(engine, amendment.chain);
      };
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  }
  throw new RebuildOvertaken(amendment.chain);
}

function replaceRows(engine: Engine, chain: string): Promise<void> {
  return replacePartitions(engine, engineTable(chain, AMENDED_TABLE), amendedTable(chain));
}

/** Must be called after the commit that shows the change. */
export async function endAmendment(engine: Engine, chain: string): Promise<void> {
  await engine.execute(sql`DROP TABLE IF EXISTS ${amendedTable(chain)} SYNC`);
}

/**
 * Repeats an interrupted replacement of rows. Must be called before any other write. Returns true if there was
 * one: then a commit must show it.
 */
export async function repeatAmendment(engine: Engine, chain: string): Promise<boolean> {
  const [found] = await engine.query<{ amending: number }>(sql`SELECT ${isAmending(chain)} AS amending`);
  if (Number(found?.amending ?? 0) === 0) return false;
  await replaceRows(engine, chain);
  return true;
}
