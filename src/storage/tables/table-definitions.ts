import { identifier, integer, join, sql, text } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import { TABLE_NAMES, tableOf } from "../../schema/tables.ts";
import type { Engine } from "../store.ts";
import {
  ADDED_COMMIT_COLUMN,
  addedDefinitions,
  commitsTable,
  commitsTableName,
  createTableStatements,
  engineTableName,
} from "./ddl.ts";
import { requireRoom } from "./free-space.ts";
import { createOpeningTable, openingTableName } from "./opening-table.ts";
import { createSummaryStatements, emptySummaryStatements, summaryTableNames } from "./summary-tables.ts";

/** Returns the names of all tables of a chain. */
export function chainTableNames(chain: string): string[] {
  return [
    ...TABLE_NAMES.map((name) => engineTableName(chain, name)),
    commitsTableName(chain),
    ...summaryTableNames(chain),
    openingTableName(chain),
  ];
}

/**
 * Creates missing tables and alters those that differ. Tables that are already right are not touched: see
 * `requireRoom`.
 *
 * @throws AnotherFormat, DiskFull
 */
export async function defineTables(engine: Engine, chain: string, fsync: boolean): Promise<void> {
  const names = chainTableNames(chain);
  await requireColumns(engine, chain);
  const defined = await definedTables(engine, names);
  if (defined.size < names.length) {
    await requireRoom(engine);
    const statements = [
      ...createTableStatements(chain),
      ...createSummaryStatements(chain),
      createOpeningTable(chain),
    ];
    for (const statement of statements) await engine.execute(statement);
    // A checkpoint older than one of the tables would claim rows that the new table lacks.
    if (summaryTableNames(chain).some((name) => !defined.has(name))) {
      for (const statement of emptySummaryStatements(chain)) await engine.execute(statement);
    }
  }
  await addMissingColumn(engine, chain);
  await addMissingIndexes(engine, chain);
  const value = integer(fsync ? 1 : 0);
  for (const name of names.filter((table) => (defined.get(table) ?? false) !== fsync)) {
    await requireRoom(engine);
    await engine.execute(
      sql`ALTER TABLE ${identifier(name)} MODIFY SETTING fsync_after_insert = ${value}, fsync_part_directory = ${value}`,
    );
  }
}

/**
 * Recognizes tables of an older format by missing columns: a data directory stores its format in a file, but
 * a server does not.
 */
async function requireColumns(engine: Engine, chain: string): Promise<void> {
  const names = join(TABLE_NAMES.map((table) => text(engineTableName(chain, table))));
  const rows = await engine.query<{ table: string; columns: string[] }>(
    sql`SELECT table, groupArray(name) AS columns FROM system.columns
      WHERE database = currentDatabase() AND table IN (${names}) GROUP BY table`,
  );
  const columns = new Map(rows.map((row) => [row.table, row.columns]));
  for (const table of TABLE_NAMES) {
    const stored = columns.get(engineTableName(chain, table));
    const missing = Object.keys(tableOf(table).columns).find((name) => stored?.includes(name) === false);
    if (missing !== undefined)
      throw new AnotherFormat(chain, `${engineTableName(chain, table)} lacks ${missing}`);
  }
}

/** Returns the existing tables, and whether each one syncs its inserts to disk. */
async function definedTables(engine: Engine, names: string[]): Promise<Map<string, boolean>> {
  const rows = await engine.query<{ name: string; syncs: number }>(
    sql`SELECT name, position(create_table_query, ${text("fsync_after_insert = 1")}) > 0 AS syncs
      FROM system.tables WHERE database = currentDatabase() AND name IN (${join(names.map(text))})`,
  );
  return new Map(rows.map(({ name, syncs }) => [name, syncs === 1]));
}

async function addMissingColumn(engine: Engine, chain: string): Promise<void> {
  const { name, definition } = ADDED_COMMIT_COLUMN;
  const existing = await engine.query(
    sql`SELECT name FROM system.columns WHERE database = currentDatabase()
      AND table = ${text(commitsTableName(chain))} AND name = ${text(name)}`,
  );
  if (existing.length > 0) return;
  await requireRoom(engine);
  await engine.execute(sql`ALTER TABLE ${commitsTable(chain)} ADD COLUMN ${definition}`);
}

/**
 * Adds the indexes and projections that tables of an earlier version lack, because partitions of tables with
 * different definitions cannot be exchanged. The engine builds them for existing rows in the background. If
 * the process is killed before it requests that, they are built when parts merge.
 */
async function addMissingIndexes(engine: Engine, chain: string): Promise<void> {
  const existing = await addedNames(engine, chain);
  for (const table of TABLE_NAMES) {
    const name = engineTableName(chain, table);
    for (const { kind, name: added, definition } of addedDefinitions(table)) {
      if (existing.has(`${name}.${added}`)) continue;
      await requireRoom(engine);
      await engine.execute(sql`ALTER TABLE ${identifier(name)} ADD ${definition}`);
      await engine.execute(sql`ALTER TABLE ${identifier(name)} MATERIALIZE ${kind} ${identifier(added)}`);
    }
  }
}

/** Lists indexes and projections of the chain's tables, each as `table.name`. */
async function addedNames(engine: Engine, chain: string): Promise<Set<string>> {
  const names = join(TABLE_NAMES.map((table) => text(engineTableName(chain, table))));
  const ofTables = sql`WHERE database = currentDatabase() AND table IN (${names})`;
  const rows = await engine.query<{ added: string }>(
    sql`SELECT concat(table, '.', name) AS added FROM system.data_skipping_indices ${ofTables}
      UNION ALL SELECT concat(table, '.', name) AS added FROM system.projections ${ofTables}`,
  );
  return new Set(rows.map(({ added }) => added));
}

class AnotherFormat extends BaseError {
  constructor(chain: string, problem: string) {
    super(
      "bad-config",
      `The tables of chain ${chain} have another data format: ${problem}. Use the version of Quarry that wrote them, ` +
        "or index again into an empty database.",
    );
  }
}
