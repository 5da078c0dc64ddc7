import { join } from "node:path";
import { type Chain, numberingOf, scopeOf } from "../chains/chain.ts";
import { identifier, integer, join as joinSql, type Sql, sql, time } from "../engine-sql/sql-text.ts";
import { BaseError } from "../lib/error.ts";
import { completeFrom, requireKept, type StoredScope, withStoredColumns } from "../schema/scope.ts";
import type { Table } from "../schema/table.ts";
import { TABLE_NAMES, type TableName, tableOf } from "../schema/tables.ts";
import { chainCommits, readableCommit, wasRewritten } from "../storage/commits/commit-log.ts";
import { NothingStored } from "../storage/commits/nothing-stored.ts";
import { DATA_FORMAT } from "../storage/directory/data-directory.ts";
import type { Commit, Engine } from "../storage/store.ts";
import { engineTable } from "../storage/tables/ddl.ts";
import { BrokenChain, type Day, daysOf } from "./day.ts";
import { exclusively } from "./exclusive-folder.ts";
import { isUnchanged, writeExported } from "./exported-file.ts";
import { engineFormat, type FileFormat, fileColumns, writtenColumns } from "./file-format.ts";
import {
  exportedTables,
  filePath,
  formFields,
  MANIFEST_VERSION,
  type Manifest,
  type ManifestDay,
  type ManifestFile,
  readManifest,
  writeManifest,
} from "./manifest.ts";
import { blocksInRange, type ExportRange } from "./range.ts";

export interface ExportOptions extends ExportRange {
  engine: Engine;
  chain: Chain;
  tables: readonly TableName[];
  format: FileFormat;
  /** The folder that contains the folder of the chain. */
  out: string;
  signal: AbortSignal;
  onProgress?(progress: ExportProgress): void;
}

export interface ExportProgress {
  date: string;
  table: TableName;
  doneRows: number;
  totalRows: number;
}

export interface Exported {
  folder: string;
  manifest: Manifest;
  /** Number of days that this run wrote; the other days were complete. */
  writtenDays: number;
}

/**
 * Writes the rows of tables to files, one for each table and UTC day, with a manifest. All rows are as of one
 * commit. Keeps the days of an earlier run if their blocks and files are unchanged.
 *
 * @throws NothingStored, NoBlocksInRange, FolderInUse, OtherExport, BrokenChain, ChangedMeanwhile, Unwritable
 */
export async function exportChain(options: ExportOptions): Promise<Exported> {
  const { engine, chain, out } = options;
  const commit = await readableCommit(chainCommits(engine, chain.name));
  if (commit === null || commit.blockNumber < commit.firstBlock) throw new NothingStored(chain.name);
  const scope = scopeOf(chain);
  const tables = requireKeptTables(options);
  const range = await blocksInRange(engine, chain.name, commit, {
    ...options,
    rawFrom: firstWhole(scope, tables),
  });
  const days = await daysOf(engine, chain.name, range, scope);
  const folder = join(out, chain.name);
  return exclusively(folder, options.signal, async (signal) => {
    const before = await readManifest(folder);
    const manifest = { ...emptyManifest(options, commit), days: before?.days ?? [] };
    if (before !== null) requireSameExport(folder, { before, manifest, days });
    return new ExportRun({ ...options, signal }, { folder, commit, manifest, days }).run();
  });
}

function emptyManifest({ chain, tables, format }: ExportOptions, commit: Commit): Manifest {
  return {
    version: MANIFEST_VERSION,
    data_format: DATA_FORMAT,
    chain: chain.name,
    chain_id: chain.chainId,
    index_first_block: commit.firstBlock,
    finalized: commit.finalized,
    ...formFields(scopeOf(chain), numberingOf(chain)),
    format,
    tables: Object.fromEntries(tables.map((table) => [table, fileColumns(storedTable(chain, table))])),
    days: [],
  };
}

/**
 * Refuses a table that is not kept. The few rows that such a table always keeps are exported only together
 * with all tables, because an import needs them.
 *
 * @throws NotStored
 */
function requireKeptTables({ chain, tables }: ExportOptions): readonly TableName[] {
  if (!isWhole(tables)) for (const table of tables) requireKept(chain.name, scopeOf(chain), table);
  return tables;
}

/**
 * Returns the first block that an export may have. With only some tables, it is the first block with all of
 * their rows.
 */
function firstWhole(scope: StoredScope, tables: readonly TableName[]): number {
  if (isWhole(tables)) return 0;
  return Math.max(...tables.map((table) => completeFrom(scope, table) ?? 0));
}

function isWhole(tables: readonly TableName[]): boolean {
  return TABLE_NAMES.every((table) => tables.includes(table));
}

/** Returns a table with the columns that the index stores. */
function storedTable(chain: Chain, name: TableName): Table {
  return withStoredColumns(scopeOf(chain), name);
}

/** Checks that the run only extends the export in the folder, because a folder holds one export. */
function requireSameExport(
  folder: string,
  { before, manifest, days }: { before: Manifest; manifest: Manifest; days: readonly Day[] },
): void {
  const kindOf = ({ days: _, finalized: __, ...kind }: Manifest) => JSON.stringify(kind);
  if (kindOf(before) !== kindOf(manifest))
    throw new OtherExport(folder, `${before.format} of ${exportedTables(before).join(", ")}`);
  const [first, last] = [before.days[0], before.days.at(-1)];
  if (first === undefined || last === undefined) return;
  if (first.first_block !== days[0]?.firstBlock || last.date > (days.at(-1)?.date ?? ""))
    throw new OtherExport(folder, `blocks ${first.first_block} to ${last.last_block}`);
}

interface RunState {
  folder: string;
  commit: Commit;
  manifest: Manifest;
  days: readonly Day[];
}

class ExportRun {
  readonly #options: ExportOptions;
  readonly #state: RunState;
  readonly #totalRows: number;
  #doneRows = 0;
  #writtenDays = 0;

  constructor(options: ExportOptions, state: RunState) {
    this.#options = options;
    this.#state = state;
    this.#totalRows = state.days.reduce((sum, day) => sum + rowsOf(day, options.tables), 0);
  }

  async run(): Promise<Exported> {
    const { folder, days, manifest } = this.#state;
    const exported: ManifestDay[] = [];
    for (const day of days) {
      exported.push((await this.#completeDay(day)) ?? (await this.#writeDay(day)));
      const later = manifest.days.filter(({ date }) => date > day.date);
      await writeManifest(folder, { ...manifest, days: [...exported, ...later] });
    }
    return { folder, manifest: { ...manifest, days: exported }, writtenDays: this.#writtenDays };
  }

  /**
   * Returns the entry of a day that an earlier run exported from this index; null if its blocks or files have
   * changed.
   */
  async #completeDay(day: Day): Promise<ManifestDay | null> {
    const { commit, folder, manifest } = this.#state;
    const { engine, chain, format, tables, signal } = this.#options;
    const entry = manifest.days.find(({ date }) => date === day.date);
    if (entry === undefined || entry.commit > commit.sequence) return null;
    if (entry.last_block !== day.lastBlock || entry.last_hash !== day.lastHash) return null;
    if (!(await this.#isOfThisIndex(entry))) return null;
    const since = { sequence: entry.commit, blockNumber: entry.last_block };
    if (await wasRewritten(engine, chain.name, since)) return null;
    for (const table of tables) {
      const file = entry.files[table];
      const path = join(folder, filePath(table, day.date, format));
      if (file === undefined || (await isUnchanged(path, file, signal)) !== true) return null;
    }
    this.#doneRows += rowsOf(day, tables);
    return { ...entry, final: isFinal(day, commit) };
  }

  /**
   * Returns whether the day was exported as of a commit of this index. Another index of the chain may have
   * different rows for the same blocks, for example because of different token metadata.
   */
  async #isOfThisIndex(entry: ManifestDay): Promise<boolean> {
    const { engine, chain } = this.#options;
    const [found] = await chainCommits(engine, chain.name).from(entry.commit, 1);
    return (
      found?.sequence === entry.commit &&
      found.blockNumber === entry.commit_block &&
      found.blockHash === entry.commit_hash &&
      found.committedAt === entry.committed_at
    );
  }

  async #writeDay(day: Day): Promise<ManifestDay> {
    const { commit } = this.#state;
    const files: ManifestDay["files"] = {};
    for (const table of this.#options.tables) files[table] = await this.#writeTable(day, table);
    await this.#requireUnchanged(day);
    this.#writtenDays++;
    return {
      date: day.date,
      first_block: day.firstBlock,
      first_hash: day.firstHash,
      parent_hash: day.parentHash,
      last_block: day.lastBlock,
      last_hash: day.lastHash,
      last_timestamp: day.lastTimestamp,
      final: isFinal(day, commit),
      commit: commit.sequence,
      commit_block: commit.blockNumber,
      commit_hash: commit.blockHash,
      committed_at: commit.committedAt,
      files,
    };
  }

  async #writeTable(day: Day, table: TableName): Promise<ManifestFile> {
    const { engine, chain, format, signal, onProgress } = this.#options;
    const progress = { date: day.date, table, totalRows: this.#totalRows };
    onProgress?.({ ...progress, doneRows: this.#doneRows });
    await this.#requireCounted(day, table);
    const chunks = engine.stream(dayRows(chain, { day, table, format }), engineFormat(format), {
      whileRunning: true,
      memoryBytes: EXPORT_MEMORY_BYTES,
      signal,
    });
    const path = join(this.#state.folder, filePath(table, day.date, format));
    const written = await writeExported(path, chunks);
    // A repair on a server may have removed rows during the read, and stored them again before its commit.
    await this.#requireCounted(day, table);
    this.#doneRows += day.rows[table];
    onProgress?.({ ...progress, doneRows: this.#doneRows });
    return { rows: day.rows[table], ...written };
  }

  /** Checks that a table has as many rows on a day as the day's blocks state. */
  async #requireCounted(day: Day, table: TableName): Promise<void> {
    const { engine, chain, signal } = this.#options;
    const [found] = await engine.query<{ rows: number }>(
      sql`SELECT count() AS rows FROM ${engineTable(chain.name, table)} AS stored WHERE ${isOf(day, table)}`,
      { signal },
    );
    if (found?.rows === day.rows[table]) return;
    await this.#requireUnchanged(day);
    throw new BrokenChain(
      `${table} has ${found?.rows} rows on ${day.date}, but the day's blocks state ${day.rows[table]}`,
    );
  }

  async #requireUnchanged(day: Day): Promise<void> {
    const { sequence } = this.#state.commit;
    const { engine, chain } = this.#options;
    const read = { sequence, blockNumber: day.lastBlock };
    if (await wasRewritten(engine, chain.name, read)) throw new ChangedMeanwhile(day);
  }
}

function rowsOf(day: Day, tables: readonly TableName[]): number {
  return tables.reduce((sum, table) => sum + day.rows[table], 0);
}

function isFinal({ lastBlock }: Day, { finalized }: Commit): boolean {
  return finalized !== null && lastBlock <= finalized;
}

const EXPORT_MEMORY_BYTES = 1024 ** 3;

/**
 * Limits on the rows in memory. Each thread holds rows until they fill a row group. With the engine's
 * defaults (512 MiB, 65,409 rows, a thread per core), half a million transactions with 600 bytes of input
 * each exceed `EXPORT_MEMORY_BYTES`.
 */
const ROW_GROUP_BYTES = 32 * 1024 ** 2;
const BLOCK_ROWS = 8_192;
const THREADS = 2;

/**
 * Returns the SQL that reads a day's rows in the order of the table. The engine reads parts in this order and
 * only merges them, so it needs no memory for sorting.
 */
function dayRows(
  chain: Chain,
  { day, table, format }: { day: Day; table: TableName; format: FileFormat },
): Sql {
  const declared = storedTable(chain, table);
  const order = joinSql(declared.order.map((name) => sql`stored.${identifier(name)}`));
  return sql`SELECT ${writtenColumns(declared, format, sql`stored`)}
    FROM ${engineTable(chain.name, table)} AS stored WHERE ${isOf(day, table)} ORDER BY ${order}
    SETTINGS output_format_parquet_compression_method = 'zstd',
      output_format_parquet_row_group_size_bytes = ${integer(ROW_GROUP_BYTES)},
      max_block_size = ${integer(BLOCK_ROWS)}, max_threads = ${integer(THREADS)}`;
}

/** Returns the condition for the rows of a day. The condition on the time excludes whole partitions. */
function isOf({ firstBlock, lastBlock, lastTimestamp }: Day, table: TableName): Sql {
  const { blockColumn, partitionBy } = tableOf(table);
  const block = sql`stored.${identifier(blockColumn)}`;
  const inBlocks = sql`${block} >= ${integer(firstBlock)} AND ${block} <= ${integer(lastBlock)}`;
  if (partitionBy === undefined) return inBlocks;
  const at = sql`stored.${identifier(partitionBy)}`;
  return sql`${inBlocks} AND ${at} <= ${time(lastTimestamp)} AND toDate(${at}) = toDate(${time(lastTimestamp)})`;
}

class OtherExport extends BaseError {
  constructor(folder: string, held: string) {
    super(
      "bad-config",
      `${folder} holds another export: ${held}. Give another folder with --out, or extend that export with the same tables, ` +
        "format and --from, and no earlier --to.",
    );
  }
}

class ChangedMeanwhile extends BaseError {
  constructor({ date }: Day) {
    super(
      "not-ready",
      `Blocks of ${date} were rolled back or repaired during the export. Run it again; it resumes.`,
      {
        retryable: true,
      },
    );
  }
}
