import { identifier, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import type { Column } from "../../schema/column.ts";
import { TABLE_NAMES, type TableName, tableOf } from "../../schema/tables.ts";
import type { Engine } from "../store.ts";
import { AMENDED_TABLE, amendedTableName } from "./amended-table.ts";
import {
  ADDED_COMMIT_COLUMN,
  COMMIT_MERGE_SETTINGS,
  columnDefinition,
  commitsTableName,
  engineTableName,
  exchangeTableName,
  MERGE_SETTINGS,
} from "./ddl.ts";
import { requireRoom } from "./free-space.ts";
import { replacementTableName } from "./replacement-tables.ts";

/** A declared column that an existing table lacks. */
interface MissingColumn {
  table: string;
  column: string;
  /** The part of the statement after ADD COLUMN. */
  definition: Sql;
}

/**
 * Adds the columns that tables of an earlier format lack. Existing rows have the default of such a column. No
 * row is rewritten, so this takes the same time for tables of any size. After an interruption, the next call
 * continues.
 *
 * The missing columns are found by reading the columns of the tables: a server does not store the format of
 * its tables, and some of them may have been upgraded before an interruption.
 *
 * @throws OtherColumns, DiskFull
 */
export async function upgradeColumns(engine: Engine, chain: string): Promise<void> {
  for (const { table, definition } of await missingColumns(engine, chain)) {
    await requireRoom(engine);
    await engine.execute(sql`ALTER TABLE ${identifier(table)} ADD COLUMN ${definition}`);
  }
}

/**
 * Checks that a process that may not change the tables of a chain can read them.
 *
 * @throws EarlierTables, OtherColumns
 */
export async function requireCurrentTables(engine: Engine, chain: string): Promise<void> {
  const [missing] = await missingColumns(engine, chain);
  if (missing !== undefined) throw new EarlierTables(chain, missing);
}

/** @throws OtherColumns */
async function missingColumns(engine: Engine, chain: string): Promise<MissingColumn[]> {
  const tables = TABLE_NAMES.flatMap((table) =>
    namesOf(chain, table).map((name) => ({ name, columns: tableOf(table).columns })),
  );
  const commits = commitsTableName(chain);
  const stored = await storedColumns(engine, [...tables.map(({ name }) => name), commits]);
  const ofTables = tables.flatMap(({ name, columns }) => missingIn(chain, name, columns, stored.get(name)));
  const { name: column, definition } = ADDED_COMMIT_COLUMN;
  const lacksAdded = stored.get(commits)?.has(column) === false;
  return lacksAdded ? [...ofTables, { table: commits, column, definition }] : ofTables;
}

/**
 * Returns the names of a chain's table and of the copies that an interrupted step left. The next start
 * replaces rows of the table with those of a copy, which must have the same columns.
 */
function namesOf(chain: string, table: TableName): string[] {
  const copies = [exchangeTableName(chain, table), replacementTableName(chain, table)];
  if (table === AMENDED_TABLE) copies.push(amendedTableName(chain));
  return [engineTableName(chain, table), ...copies];
}

/**
 * @param stored the columns that the table has; absent if it does not exist
 * @throws OtherColumns if a missing column belongs to no later format
 */
function missingIn(
  chain: string,
  table: string,
  columns: Record<string, Column>,
  stored: ReadonlySet<string> | undefined,
): MissingColumn[] {
  if (stored === undefined) return [];
  const declared = Object.entries(columns);
  return declared.flatMap(([column, kind], i) => {
    if (stored.has(column)) return [];
    if (kind.added === undefined) throw new OtherColumns(chain, { table, column });
    const before = declared[i - 1]?.[0];
    const place = before === undefined ? sql`FIRST` : sql`AFTER ${identifier(before)}`;
    return [{ table, column, definition: sql`${columnDefinition(column, kind)} ${place}` }];
  });
}

/** Reads the columns of existing tables, by the name of the table. */
async function storedColumns(
  engine: Engine,
  names: readonly string[],
): Promise<Map<string, ReadonlySet<string>>> {
  const rows = await engine.query<{ table: string; columns: string[] }>(
    sql`SELECT table, groupArray(name) AS columns FROM system.columns
      WHERE database = currentDatabase() AND table IN (${join(names.map(text))}) GROUP BY table`,
  );
  return new Map(rows.map(({ table, columns }) => [table, new Set(columns)]));
}

/** Settings of earlier versions that are no longer declared. */
const DROPPED_SETTINGS = ["min_parts_to_merge_at_once"];

/**
 * Gives the tables of earlier versions the merge settings that this version declares.
 *
 * @param defined the settings of existing tables, as the engine prints them, by the name of the table
 */
export async function upgradeMerges(
  engine: Engine,
  chain: string,
  defined: ReadonlyMap<string, string>,
): Promise<void> {
  const declared = new Map(TABLE_NAMES.map((table) => [engineTableName(chain, table), MERGE_SETTINGS]));
  declared.set(commitsTableName(chain), COMMIT_MERGE_SETTINGS);
  for (const [name, settings] of declared) {
    const stored = defined.get(name);
    if (stored === undefined) continue;
    const other = settings.filter((setting) => !stored.includes(setting));
    const dropped = DROPPED_SETTINGS.filter((setting) => stored.includes(`${setting} =`));
    if (other.length + dropped.length === 0) continue;
    await requireRoom(engine);
    const table = identifier(name);
    if (other.length > 0) await engine.execute(sql`ALTER TABLE ${table} MODIFY SETTING ${join(other)}`);
    for (const setting of dropped)
      await engine.execute(sql`ALTER TABLE ${table} RESET SETTING ${identifier(setting)}`);
  }
}

/** Thrown for tables of a format that is too old, or that Quarry did not write. */
class OtherColumns extends BaseError {
  constructor(chain: string, { table, column }: Pick<MissingColumn, "table" | "column">) {
    super(
      "bad-config",
      `The tables of chain ${chain} have another data format: ${table} lacks ${column}. Use the version of Quarry that ` +
        "wrote them, or index again into an empty database.",
    );
  }
}

class EarlierTables extends BaseError {
  constructor(chain: string, { table, column }: MissingColumn) {
    super(
      "bad-config",
      `An earlier version of Quarry wrote the tables of chain ${chain}: ${table} lacks ${column}. This process may not ` +
        "change them. Run `quarry start` or `quarry index` of this version once to upgrade the tables of its chain; " +
        "for a data directory, any command that can write to the directory upgrades them.",
    );
  }
}
