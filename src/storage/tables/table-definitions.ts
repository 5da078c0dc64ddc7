import { identifier, integer, join, sql, text } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import { TABLE_NAMES, tableOf } from "../../schema/tables.ts";
import type { Engine } from "../store.ts";
import { breakSeal, createSummaryStatements, summaryTableNames } from "../summaries/price-summary.ts";
import { addedDefinitions, createTableStatements, engineTableName } from "./ddl.ts";
import { requireRoom } from "./free-space.ts";

/**
 * Creates and alters what is not yet as it should be, and nothing else: see `requireRoom`.
 *
 * @throws AnotherFormat, DiskFull
 */
export async function defineTables(engine: Engine, chain: string, fsync: boolean): Promise<void> {
  const names = [
    ...TABLE_NAMES.map((name) => engineTableName(chain, name)),
    `${chain}_commits`,
    ...summaryTableNames(chain),
  ];
  await requireColumns(engine, chain);
  const defined = await definedTables(engine, names);
  if (defined.size < names.length) {
    await requireRoom(engine);
    const statements = [...createTableStatements(chain), ...createSummaryStatements(chain)];
    for (const statement of statements) await engine.execute(statement);
    // A seal that is older than one of the tables would vouch for rows that this one lacks.
    if (summaryTableNames(chain).some((name) => !defined.has(name))) await breakSeal(engine, chain);
  }
  await addMissingIndexes(engine, chain);
  const value = integer(fsync ? 1 : 0);
  for (const name of names.filter((table) => (defined.get(table) ?? false) !== fsync)) {
    await requireRoom(engine);
    await engine.execute(
      sql`ALTER TABLE ${identifier(name)} MODIFY SETTING fsync_after_insert = ${value}, fsync_part_directory = ${value}`,
    );
  }
}

/** A data directory tells its format before it is opened; a server's tables tell it by the columns that they lack. */
async function requireColumns(engine: Engine, chain: string): Promise<void> {
  const names = join(TABLE_NAMES.map((table) => text(engineTableName(chain, table))));
  const rows = await engine.query<{ table: string; columns: string[] }>(
    sql`SELECT table, groupArray(name) AS columns FROM system.columns
      WHERE database = currentDatabase() AND table IN (${names}) GROUP BY table`,
  );
  const columns = new Map(rows.map((row) => [row.table, row.columns]));
  for (const table of TABLE_NAMES) {
    const there = columns.get(engineTableName(chain, table));
    const lacking = Object.keys(tableOf(table).columns).find((name) => there?.includes(name) === false);
    if (lacking !== undefined)
      throw new AnotherFormat(chain, `${engineTableName(chain, table)} lacks ${lacking}`);
  }
}

/** Those of the tables that exist, and whether each syncs what is inserted. */
async function definedTables(engine: Engine, names: string[]): Promise<Map<string, boolean>> {
  const rows = await engine.query<{ name: string; syncs: number }>(
    sql`SELECT name, position(create_table_query, ${text("fsync_after_insert = 1")}) > 0 AS syncs
      FROM system.tables WHERE database = currentDatabase() AND name IN (${join(names.map(text))})`,
  );
  return new Map(rows.map(({ name, syncs }) => [name, syncs === 1]));
}

/**
 * Gives tables that an earlier version made the indexes and projections that they lack: without them no partition could
 * be exchanged. The engine fills them for the rows that are there in the background; what is killed before it was told
 * to gets them when it merges.
 */
async function addMissingIndexes(engine: Engine, chain: string): Promise<void> {
  const there = await addedNames(engine, chain);
  for (const table of TABLE_NAMES) {
    const name = engineTableName(chain, table);
    for (const { kind, name: added, definition } of addedDefinitions(table)) {
      if (there.has(`${name}.${added}`)) continue;
      await requireRoom(engine);
      await engine.execute(sql`ALTER TABLE ${identifier(name)} ADD ${definition}`);
      await engine.execute(sql`ALTER TABLE ${identifier(name)} MATERIALIZE ${kind} ${identifier(added)}`);
    }
  }
}

/** Indexes and projections of the chain's tables, each as `table.name`. */
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
        "or index anew into an empty database.",
    );
  }
}
