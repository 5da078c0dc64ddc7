import { integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Engine } from "../store.ts";
import {
  AMENDED_TABLE,
  amendedTable,
  amendedTableName,
  draftTable,
  draftTableName,
} from "../tables/amended-table.ts";
import { engineTable } from "../tables/ddl.ts";
import { tableExists } from "../tables/table-exists.ts";
import {
  addPartitions,
  copyPartitions,
  countRows,
  isWithinPartitions,
  type PartitionChange,
  partitionsIn,
  repeatWhileOvertaken,
  replacePartitions,
} from "./partition-copy.ts";

/** A change of values in rows of committed blocks. */
export type Amendment = Pick<PartitionChange, "chain" | "isChanged"> &
  Required<Pick<PartitionChange, "changed">>;

/**
 * Writes the new rows of the blocks up to `upTo` to a copy. This takes a long time, but changes nothing that
 * readers see. Further blocks may be committed in the meantime.
 *
 * @throws the signal's reason if it aborts between two statements
 */
export async function draftAmendment(
  engine: Engine,
  amendment: Amendment,
  { upTo, signal }: { upTo: number; signal?: AbortSignal | undefined },
): Promise<void> {
  await repeatWhileOvertaken(amendment.chain, async () => {
    const partitions = await changedPartitions(engine, amendment, sql`1`);
    const change: PartitionChange = { ...amendment, table: AMENDED_TABLE, partitions, upTo, signal };
    await copyPartitions(engine, change, draftTable(amendment.chain));
  });
}

/** Drops a draft that is not used, if there is one. */
export async function dropDraft(engine: Engine, chain: string): Promise<void> {
  if (await tableExists(engine, draftTableName(chain)))
    await engine.execute(sql`DROP TABLE IF EXISTS ${draftTable(chain)} SYNC`);
}

/**
 * Adds the rows of later blocks to the draft. No block may be committed meanwhile, and no drafted block may
 * have been changed since.
 *
 * @param upTo the last block of the draft
 * @returns the step that replaces the rows
 * @throws RebuildOvertaken if a merge replaced a part meanwhile; the caller must start over
 */
export async function completeAmendment(
  engine: Engine,
  amendment: Amendment,
  upTo: number,
): Promise<() => Promise<void>> {
  const { chain, isChanged, changed } = amendment;
  const [table, draft] = [engineTable(chain, AMENDED_TABLE), draftTable(chain)];
  const drafted = await partitionsIn(engine, sql`FROM ${draft}`);
  const isLater = sql`block_number > ${integer(upTo)}`;
  const isAdded = sql`${isWithinPartitions(drafted)} AND ${isLater}`;
  await engine.execute(
    sql`INSERT INTO ${draft} SELECT * FROM ${table} WHERE ${isAdded} AND NOT (${isChanged})`,
  );
  // Skipped if no added row changes, because computing balances reads all transfers of their tokens.
  if ((await changedPartitions(engine, amendment, isAdded)).length > 0)
    await engine.execute(sql`INSERT INTO ${draft} ${changed(table, isAdded)}`);
  const others = (await changedPartitions(engine, amendment, isLater)).filter((id) => !drafted.includes(id));
  const change: Omit<PartitionChange, "partitions"> = { ...amendment, table: AMENDED_TABLE };
  await addPartitions(engine, { ...change, partitions: others }, draft);
  await countRows(engine, { ...change, partitions: [...drafted, ...others] }, draft);
  return async () => {
    await engine.execute(sql`RENAME TABLE ${draft} TO ${amendedTable(chain)}`);
    await replaceRows(engine, chain);
  };
}

function changedPartitions(engine: Engine, { chain, isChanged }: Amendment, where: Sql): Promise<string[]> {
  return partitionsIn(engine, sql`FROM ${engineTable(chain, AMENDED_TABLE)} WHERE ${where} AND ${isChanged}`);
}

function replaceRows(engine: Engine, chain: string): Promise<void> {
  return replacePartitions(engine, engineTable(chain, AMENDED_TABLE), amendedTable(chain));
}

/** Drops the copy with the new rows. Must be called only after the commit that makes the change visible. */
export async function endAmendment(engine: Engine, chain: string): Promise<void> {
  await engine.execute(sql`DROP TABLE IF EXISTS ${amendedTable(chain)} SYNC`);
}

/**
 * Repeats an interrupted replacement of rows. Must be called before any other write. Returns true if there
 * was one, which a commit must then make visible.
 */
export async function repeatAmendment(engine: Engine, chain: string): Promise<boolean> {
  if (!(await tableExists(engine, amendedTableName(chain)))) return false;
  await replaceRows(engine, chain);
  return true;
}
