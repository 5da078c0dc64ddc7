import { readFile } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { identifier, join, sql, text } from "../../engine-sql/sql-text.ts";
import { systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import { TABLE_NAMES } from "../../schema/tables.ts";
import { type RegisteredChain, storedChains } from "../../storage/commits/chain-registry.ts";
import {
  chainCommits,
  HalfRewritten,
  isHalfRewritten,
  newestCommit,
  readableCommit,
  wasRewritten,
} from "../../storage/commits/commit-log.ts";
import { type FrozenTables, frozenTables, removeFrozen } from "../../storage/directory/frozen-files.ts";
import type { Commit, Engine } from "../../storage/store.ts";
import { newestCheckpoint } from "../../storage/summaries/price-summary.ts";
import { commitsTableName, engineTableName } from "../../storage/tables/ddl.ts";
import { summaryTableNames } from "../../storage/tables/summary-tables.ts";
import { blockTables, REGISTRY_TABLE } from "./backup-tables.ts";

export interface FrozenChain extends RegisteredChain {
  commit: Commit;
}

/** Hard links to the parts of all tables, as of one commit of each chain. */
export interface FrozenStore {
  chains: FrozenChain[];
  /** The folders of the parts, by table. */
  tables: FrozenTables;
}

interface FreezeOptions {
  engine: Engine;
  /** The engine's own directory. */
  enginePath: string;
  /** Name of the links, for `removeFrozen()`. */
  name: string;
  /** Names of tables that belong to no chain. */
  storeTables: readonly string[];
  signal: AbortSignal;
}

/**
 * Maximum number of attempts to freeze a store. An attempt takes less than a second, and a change that
 * disturbs it, such as a rollback, does not take much longer.
 */
const MAX_ATTEMPTS = 100;
const RETRY_MS = 100;

/**
 * Freezes the tables of a store, which may be written to at the same time: the engine adds a hard link for
 * each file, so this is quick, and the files stay when the engine merges their parts.
 *
 * The commits of a chain are frozen first, so the other tables have all rows of the newest frozen commit, and
 * perhaps rows of later commits. Opening the restored store removes these later rows. If frozen blocks are
 * rolled back or changed before the last table is frozen, everything is frozen again.
 *
 * @throws KeepsChanging, NotFrozen, NothingToBackUp
 */
export async function freezeStore(options: FreezeOptions): Promise<FrozenStore> {
  for (let attempt = 1; ; attempt++) {
    options.signal.throwIfAborted();
    try {
      return await freezeOnce(options);
    } catch (error) {
      if (!(error instanceof Disturbed) || attempt === MAX_ATTEMPTS) throw error;
    }
    await removeFrozen(options.enginePath, options.name);
    await systemClock.sleep(RETRY_MS, options.signal);
  }
}

/**
 * @throws KeepsChanging or NotFrozen if a chain changed in the meantime, NothingToBackUp if no chain has
 * blocks
 */
async function freezeOnce(options: FreezeOptions): Promise<FrozenStore> {
  const { engine, enginePath, name, storeTables } = options;
  const names = await tableNames(engine);
  const existing = new Set(names.values());
  // These tables are frozen first, because the states of webhooks refer to commits.
  for (const table of storeTables) if (existing.has(table)) await freeze(options, table);
  const chains: FrozenChain[] = [];
  let rows: [table: string, count: number][] = [];
  for (const chain of await storedChains(engine)) {
    const commit = await readableCommit(chainCommits(engine, chain.name)).catch((error) => {
      throw error instanceof HalfRewritten ? new KeepsChanging() : error;
    });
    if (commit === null) continue;
    rows = [...rows, ...(await countRows(engine, chain.name))];
    if (!(await freezeChain(options, commit, chain.name))) throw new KeepsChanging();
    chains.push({ ...chain, commit });
  }
  if (chains.length === 0) throw new NothingToBackUp();
  // This table is frozen last, because pruning first changes this table, and then removes rows.
  await freeze(options, REGISTRY_TABLE);
  const tables = await frozenTables(enginePath, name, names);
  await requireRows(tables, new Map(rows));
  return { chains, tables };
}

/**
 * Freezes the tables of a chain. Returns false if blocks were rolled back or changed, if blocks were
 * committed before the table of commits was frozen, or if the price summary was written meanwhile.
 */
async function freezeChain(options: FreezeOptions, commit: Commit, chain: string): Promise<boolean> {
  const { engine } = options;
  await freeze(options, commitsTableName(chain));
  if ((await newestCommit(engine, chain))?.sequence !== commit.sequence) return false;
  // The price summary is not part of a commit: it must be as it was at the commit. While old blocks are
  // indexed, it is written after almost every commit, so its small tables come first.
  const checkpoint = JSON.stringify(await newestCheckpoint(engine, chain));
  for (const table of summaryTableNames(chain)) await freeze(options, table);
  if (JSON.stringify(await newestCheckpoint(engine, chain)) !== checkpoint) return false;
  for (const table of blockTables(chain)) await freeze(options, table);
  return !(await isHalfRewritten(engine, chain)) && !(await wasRewritten(engine, chain, commit));
}

async function freeze({ engine, name }: FreezeOptions, table: string): Promise<void> {
  await engine.execute(sql`ALTER TABLE ${identifier(table)} FREEZE WITH NAME ${text(name)}`);
}

/** Returns the names of all tables by id: the last folder of the table's path. */
async function tableNames(engine: Engine): Promise<Map<string, string>> {
  const rows = await engine.query<{ name: string; id: string }>(
    sql`SELECT name, arrayElement(splitByChar('/', trimRight(data_paths[1], '/')), -1) AS id FROM system.tables
      WHERE database = currentDatabase() AND notEmpty(data_paths)`,
  );
  return new Map(rows.map(({ name, id }) => [id, name]));
}

/** Returns the number of rows of each table that keeps all rows when its parts are merged, by table name. */
async function countRows(engine: Engine, chain: string): Promise<Map<string, number>> {
  const names = [commitsTableName(chain), ...TABLE_NAMES.map((table) => engineTableName(chain, table))];
  const counts = names.map(
    (name) => sql`SELECT ${text(name)} AS name, count() AS rows FROM ${identifier(name)}`,
  );
  const rows = await engine.query<{ name: string; rows: number }>(join(counts, " UNION ALL "));
  return new Map(rows.map(({ name, rows: count }) => [name, count]));
}

/**
 * Checks that the frozen tables have at least as many rows as were stored before. The check is necessary
 * because their files are found by the engine's rules for its folders, not through the engine. Fewer rows
 * mean that files were not found, or that rows were removed in the meantime, such as the rows of an
 * interrupted commit.
 *
 * @throws NotFrozen
 */
async function requireRows(tables: FrozenTables, stored: ReadonlyMap<string, number>): Promise<void> {
  for (const [table, rows] of stored) {
    let frozen = 0;
    for (const { folder } of tables.get(table) ?? [])
      frozen += Number(await readFile(joinPath(folder, "count.txt"), "utf8"));
    if (frozen < rows) throw new NotFrozen(table, frozen, rows);
  }
}

class NothingToBackUp extends BaseError {
  constructor() {
    super("bad-config", "No block is stored in the data directory, so there is nothing to back up.");
  }
}

/** Something was written at the wrong moment, so the attempt must be repeated. */
class Disturbed extends BaseError {}

class KeepsChanging extends Disturbed {
  constructor() {
    super(
      "not-ready",
      "Nothing was backed up: blocks changed during every attempt. Run the backup again; if the indexer was killed in " +
        "the middle of a rollback, start it once first.",
      { retryable: true },
    );
  }
}

class NotFrozen extends Disturbed {
  constructor(table: string, frozen: number, rows: number) {
    super(
      "internal",
      `Nothing was backed up: the frozen files of ${table} have ${frozen} rows, but the table has ${rows}.`,
    );
  }
}
