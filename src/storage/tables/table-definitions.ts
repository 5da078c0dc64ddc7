import { identifier, integer, join, sql, text } from "../../engine-sql/sql-text.ts";
import { TABLE_NAMES } from "../../schema/tables.ts";
import type { Engine } from "../store.ts";
import { addedDefinitions, commitsTableName, createTableStatements, engineTableName } from "./ddl.ts";
import { requireRoom } from "./free-space.ts";
import { createOpeningTable, openingTableName } from "./opening-table.ts";
import { createSummaryStatements, emptySummaryStatements, summaryTableNames } from "./summary-tables.ts";
import { upgradeColumns, upgradeMerges } from "./upgrade-tables.ts";

/** Returns the names of all tables of a chain. */
export function chainTableNames(chain: string): string[] {
  return [
    ...TABLE_NAMES.map((name) => engineTableName(chain, name)),
    commitsTableName(chain),
    ...summaryTableNames(chain),
    openingTableName(chain),
  ];
}

/** Returns the names of the chains that have tables. */
export async function definedChains(engine: Engine): Promise<string[]> {
  const rows = await engine.query<{ name: string }>(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND endsWith(name, ${text(COMMITS)})`,
  );
  // The name of a chain's copy has an underscore; the name of a chain never does.
  return rows.map(({ name }) => name.slice(0, -COMMITS.length)).filter((chain) => !chain.includes("_"));
}

/** Suffix of the names of all tables of commits. */
const COMMITS = commitsTableName("");

/**
 * Brings the tables of a chain up to date: creates missing tables, and upgrades tables of an earlier version.
 * Tables that are already up to date are not touched: see `requireRoom`.
 *
 * @throws OtherColumns, DiskFull
 */
export async function defineTables(engine: Engine, chain: string): Promise<void> {
  const names = chainTableNames(chain);
  await upgradeColumns(engine, chain);
  const defined = await storedSettings(engine, names);
  if (defined.size < names.length) {
    await requireRoom(engine);
    const statements = [
      ...createTableStatements(engine, chain),
      ...createSummaryStatements(engine, chain),
      createOpeningTable(engine, chain),
    ];
    for (const statement of statements) await engine.execute(statement);
    // A checkpoint older than one of the tables would claim rows that the new table lacks.
    if (summaryTableNames(chain).some((name) => !defined.has(name))) {
      for (const statement of emptySummaryStatements(chain)) await engine.execute(statement);
    }
  }
  await addMissingIndexes(engine, chain);
  await upgradeMerges(engine, chain, defined);
}

/**
 * Sets whether each write to a chain's tables is synced to disk.
 *
 * @throws DiskFull
 */
export async function setDurability(engine: Engine, chain: string, fsync: boolean): Promise<void> {
  const value = integer(fsync ? 1 : 0);
  for (const [name, settings] of await storedSettings(engine, chainTableNames(chain))) {
    if (settings.includes("fsync_after_insert = 1") === fsync) continue;
    await requireRoom(engine);
    await engine.execute(
      sql`ALTER TABLE ${identifier(name)} MODIFY SETTING fsync_after_insert = ${value}, fsync_part_directory = ${value}`,
    );
  }
}

/**
 * Reads the table engine and settings of those tables that exist, as ClickHouse prints them. Keyed by table
 * name.
 */
async function storedSettings(engine: Engine, names: string[]): Promise<Map<string, string>> {
  const rows = await engine.query<{ name: string; engine_full: string }>(
    sql`SELECT name, engine_full FROM system.tables
      WHERE database = currentDatabase() AND name IN (${join(names.map(text))})`,
  );
  return new Map(rows.map(({ name, engine_full }) => [name, engine_full]));
}

/**
 * Adds the indexes and projections that tables of an earlier version lack, because partitions of tables with
 * different definitions cannot be exchanged. The engine builds them for existing rows in the background. If
 * the process is killed before it requests this, they are built when parts merge.
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
