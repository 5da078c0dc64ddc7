import { identifier, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { TABLE_NAMES, type TableName } from "../../schema/tables.ts";
import type { Engine } from "../store.ts";
import { engineTable } from "../tables/ddl.ts";
import { requireRoom } from "../tables/free-space.ts";
import {
  draftPartitionsName,
  replacedPartitions,
  replacedPartitionsName,
  replacementTableName,
  replacementTableNames,
} from "../tables/replacement-tables.ts";
import { tableEngine } from "../tables/table-engine.ts";
import { tableExists } from "../tables/table-exists.ts";
import type { EncodedRows } from "../write-checks.ts";
import {
  attachPartitions,
  copyPartitions,
  DURABLE,
  dropPartition,
  partitionsIn,
  repeatWhileOvertaken,
  replacePartition,
} from "./partition-copy.ts";
import { isRemoved, type RemovedBlocks } from "./row-removal.ts";

/** New rows for committed blocks. They replace all rows that the blocks have. */
export interface Replacement {
  chain: string;
  blocks: RemovedBlocks;
  rows: readonly EncodedRows[];
}

/** A partition of a table in which rows are replaced. */
interface ReplacedPartition {
  tableName: TableName;
  partition: string;
}

/**
 * Copies the partitions in which rows are replaced, and gives the copies the new rows. This takes a long
 * time, but changes nothing that readers see. No block may be committed before the returned step, which
 * replaces the partitions.
 */
export async function draftReplacement(
  engine: Engine,
  replacement: Replacement,
): Promise<() => Promise<void>> {
  const { chain } = replacement;
  const list = identifier(draftPartitionsName(chain));
  try {
    await dropReplacement(engine, chain);
    const drafts = await Promise.allSettled(TABLE_NAMES.map((table) => draft(engine, replacement, table)));
    const replaced = drafts.flatMap((result) => {
      if (result.status === "rejected") throw result.reason;
      return result.value;
    });
    await writeList(engine, list, replaced);
  } catch (error) {
    // The copies would only take up space. If they cannot be dropped now, the next replacement drops them.
    await dropReplacement(engine, chain).catch(() => undefined);
    throw error;
  }
  return async () => {
    await engine.execute(sql`RENAME TABLE ${list} TO ${replacedPartitions(chain)}`);
    await replacePartitions(engine, chain);
  };
}

/**
 * Repeats an interrupted replacement. Must be called before any other write. Returns true if there was one,
 * which a commit must then make visible.
 */
export async function repeatReplacement(engine: Engine, chain: string): Promise<boolean> {
  if (!(await tableExists(engine, replacedPartitionsName(chain)))) return false;
  await replacePartitions(engine, chain);
  return true;
}

/**
 * Drops the tables of a replacement. If the replacement has taken effect, this must be called only after the
 * commit that makes it visible. The list is dropped first, because a list without its copies could not be
 * completed.
 */
export async function dropReplacement(engine: Engine, chain: string): Promise<void> {
  const names = replacementTableNames(chain);
  const found = await engine.query<{ name: string }>(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN (${join(names.map(text))})`,
  );
  const left = new Set(found.map(({ name }) => name));
  for (const name of names)
    if (left.has(name)) await engine.execute(sql`DROP TABLE IF EXISTS ${identifier(name)} SYNC`);
}

/**
 * Makes the copy of one table, if any of its rows are replaced or added. Returns the partitions of the copy.
 */
async function draft(
  engine: Engine,
  { chain, blocks, rows }: Replacement,
  table: TableName,
): Promise<ReplacedPartition[]> {
  const isChanged = isRemoved({ chain, table, blocks });
  const added = rows.find((encoded) => encoded.table === table);
  const name = replacementTableName(chain, table);
  const copy = identifier(name);
  const partitions = await repeatWhileOvertaken(chain, async () => {
    const old = await partitionsIn(engine, sql`FROM ${engineTable(chain, table)} WHERE ${isChanged}`);
    if (old.length === 0 && added === undefined) return [];
    const change = { chain, table, partitions: old, isChanged };
    await copyPartitions(engine, change, copy);
    if (added === undefined) return old;
    await engine.insert(name, added.columns, added.chunks, added.print);
    const others = (await partitionsIn(engine, sql`FROM ${copy}`)).filter((id) => !old.includes(id));
    await attachPartitions(engine, { chain, table, partitions: others }, copy);
    return [...old, ...others];
  });
  return partitions.map((partition) => ({ tableName: table, partition }));
}

async function writeList(engine: Engine, list: Sql, replaced: readonly ReplacedPartition[]): Promise<void> {
  await requireRoom(engine);
  await engine.execute(sql`CREATE TABLE ${list} (table_name String, partition String)
    ${tableEngine(engine, sql`MergeTree`, sql`ORDER BY (table_name, partition)`, [DURABLE])}`);
  if (replaced.length === 0) return;
  const values = replaced.map(({ tableName, partition }) => sql`(${text(tableName)}, ${text(partition)})`);
  await engine.execute(sql`INSERT INTO ${list} VALUES ${join(values)}`);
}

/** Replaces all partitions of the list. Repeating it changes nothing. */
async function replacePartitions(engine: Engine, chain: string): Promise<void> {
  const replaced = await engine.query<ReplacedPartition>(
    sql`SELECT table_name AS tableName, partition FROM ${replacedPartitions(chain)} ORDER BY table_name, partition`,
  );
  for (const table of TABLE_NAMES) {
    const own = replaced.filter(({ tableName }) => tableName === table);
    if (own.length === 0) continue;
    const copy = identifier(replacementTableName(chain, table));
    const copied = new Set(await partitionsIn(engine, sql`FROM ${copy}`));
    const original = engineTable(chain, table);
    for (const { partition } of own) {
      if (copied.has(partition)) await replacePartition(engine, original, { partition, copy });
      else await dropPartition(engine, original, partition);
    }
  }
}
