import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Chain } from "../chains/chain.ts";
import { identifier, integer, join as joinSql, type Sql, sql, text } from "../engine-sql/sql-text.ts";
import { BaseError } from "../lib/error.ts";
import { withStoredColumns } from "../schema/scope.ts";
import { TABLE_NAMES, type TableName, tableOf } from "../schema/tables.ts";
import { registerForm, type StoredForm, storedForm } from "../storage/commits/chain-registry.ts";
import type { ChainStore, Commit, Engine } from "../storage/store.ts";
import { engineTable } from "../storage/tables/ddl.ts";
import { type BlockSpan, daysOf } from "./day.ts";
import { isUnchanged } from "./exported-file.ts";
import { fileTable, readColumns } from "./file-format.ts";
import {
  exportedNumbering,
  exportedScope,
  filePath,
  type Manifest,
  type ManifestDay,
  type ManifestFile,
} from "./manifest.ts";
import { findOddBlock } from "./rows-of-blocks.ts";

export interface ImportOptions {
  /** The folder of the chain in the export. */
  folder: string;
  /** A manifest that `requireImportable` accepted. */
  manifest: Manifest;
  chain: Chain;
  /** An embedded engine, which reads the files itself. */
  engine: Engine;
  store: ChainStore;
  signal: AbortSignal;
  onProgress?(progress: ImportProgress): void;
}

export interface ImportProgress {
  date: string;
  doneRows: number;
  totalRows: number;
}

export interface Imported {
  /** Number of days that this run imported; the other days had been imported before. */
  importedDays: number;
}

function formOf(manifest: Manifest): StoredForm {
  return { scope: exportedScope(manifest), numbering: exportedNumbering(manifest) };
}

/**
 * Replaces the stored form of rows with that of the exported index, because all rows come from it.
 *
 * @throws WrongRows if rows that are already stored are numbered in another way
 */
async function takeForm(
  { engine, chain, folder, manifest }: ImportOptions,
  commit: Commit | null,
): Promise<void> {
  const form = formOf(manifest);
  const stored = await storedForm(engine, chain.name);
  if (commit !== null && stored.numbering !== form.numbering)
    throw new WrongRows(
      folder,
      "its rows are not numbered like the stored ones; import into an empty directory",
    );
  if (!isDeepStrictEqual(form, stored)) await registerForm(engine, chain.name, form);
}

/**
 * Stores the rows of an export, day by day. Each day is one commit, so readers see either the whole day or
 * none of it, and an interrupted import continues after the last complete day.
 *
 * @throws HoldsOtherBlocks, DamagedFile, MissingFile, WrongRows
 */
export async function importChain(options: ImportOptions): Promise<Imported> {
  const { folder, manifest, signal, store, onProgress } = options;
  const commit = await store.committed();
  const days = remainingDays(manifest, folder, commit);
  if (days.length > 0) await takeForm(options, commit);
  const totalRows = days.reduce((sum, day) => sum + rowsOf(day), 0);
  let doneRows = 0;
  for (const day of days) {
    signal.throwIfAborted();
    onProgress?.({ date: day.date, doneRows, totalRows });
    await importDay(options, day);
    doneRows += rowsOf(day);
    onProgress?.({ date: day.date, doneRows, totalRows });
  }
  return { importedDays: days.length };
}

function rowsOf({ files }: ManifestDay): number {
  return Object.values(files).reduce((sum, { rows }) => sum + rows, 0);
}

/** Returns the days after the newest stored block, which must be the last block of a day of the export. */
function remainingDays({ days }: Manifest, folder: string, commit: Commit | null): ManifestDay[] {
  if (commit === null) return days;
  const stored = days.findIndex(
    ({ last_block, last_hash }) => last_block === commit.blockNumber && last_hash === commit.blockHash,
  );
  if (stored === -1 || commit.firstBlock !== days[0]?.first_block) throw new HoldsOtherBlocks(folder, commit);
  return days.slice(stored + 1);
}

async function importDay(options: ImportOptions, day: ManifestDay): Promise<void> {
  const { manifest, store } = options;
  for (const table of TABLE_NAMES) await requireUnchanged(options, day, table);
  const lastBlock = { number: day.last_block, hash: day.last_hash, timestamp: day.last_timestamp };
  await store.load(
    { firstBlock: day.first_block, lastBlock, finalized: manifest.finalized },
    async (engine) => {
      for (const table of TABLE_NAMES) await loadFile({ ...options, engine }, day, table);
      await requireLoaded(options, day);
    },
  );
}

/** @throws MissingFile, DamagedFile */
async function requireUnchanged(
  { folder, manifest, signal }: ImportOptions,
  day: ManifestDay,
  table: TableName,
): Promise<void> {
  const path = join(folder, filePath(table, day.date, manifest.format));
  const isSame = await isUnchanged(path, fileOf(day, table), signal);
  if (isSame === null) throw new MissingFile(path);
  if (!isSame) throw new DamagedFile(path);
}

async function loadFile(options: ImportOptions, day: ManifestDay, table: TableName): Promise<void> {
  const { folder, manifest, chain, engine, signal } = options;
  signal.throwIfAborted();
  if (fileOf(day, table).rows === 0) return;
  const declared = withStoredColumns(exportedScope(manifest), table);
  const path = join(folder, filePath(table, day.date, manifest.format));
  const from = fileTable(declared, manifest.format, path);
  await requireOwnRows(options, day, { table, path, from });
  const columns = joinSql(Object.keys(declared.columns).map(identifier));
  await engine.execute(
    sql`INSERT INTO ${engineTable(chain.name, table)} (${columns})
      SELECT ${readColumns(declared, manifest.format)} FROM ${from} SETTINGS ${LOAD_SETTINGS}`,
  );
}

/**
 * Limits the memory for loading. Without these settings, loading 1.2 million transactions took 3 GB: the
 * engine reads ahead up to 4 GiB of a Parquet file, parses parts of other files in parallel, and collects
 * rows until it has a million of them.
 */
const LOAD_SETTINGS = sql`max_memory_usage = ${integer(1024 ** 3)}, max_threads = 2,
  input_format_parallel_parsing = 0, input_format_parquet_memory_high_watermark = ${integer(128 * 1024 ** 2)},
  storage_file_read_method = 'pread', max_insert_block_size = 65536, min_insert_block_size_rows = 65536,
  min_insert_block_size_bytes = ${integer(64 * 1024 ** 2)}`;

/**
 * Checks that a file has only rows of its day. A row of another block would survive the removal of the day,
 * or be removed with another day.
 */
async function requireOwnRows(
  { engine, signal }: ImportOptions,
  day: ManifestDay,
  { table, path, from }: { table: TableName; path: string; from: Sql },
): Promise<void> {
  const block = identifier(tableOf(table).blockColumn);
  const [found] = await engine.query<{ rows: number; lowest: number; highest: number }>(
    sql`SELECT count() AS rows, min(${block}) AS lowest, max(${block}) AS highest FROM ${from}`,
    { signal },
  );
  const isOwn =
    found?.rows === fileOf(day, table).rows &&
    found.lowest >= day.first_block &&
    found.highest <= day.last_block;
  if (!isOwn) throw new WrongRows(path, "its rows do not match the manifest");
}

/** Checks that the stored day is the one in the manifest: its blocks, their links, and their row counts. */
async function requireLoaded(options: ImportOptions, day: ManifestDay): Promise<void> {
  const { chain, engine, folder, manifest } = options;
  const span = { first: day.first_block, last: day.last_block };
  const [stored, ...others] = await daysOf(engine, chain.name, span, exportedScope(manifest));
  const isSame =
    others.length === 0 &&
    stored?.date === day.date &&
    stored.firstHash === day.first_hash &&
    stored.parentHash === day.parent_hash &&
    stored.lastHash === day.last_hash &&
    stored.lastTimestamp === day.last_timestamp;
  if (!isSame) throw new WrongRows(folder, `the blocks of ${day.date} do not match the manifest`);
  const rows = await storedRows(engine, chain, span);
  const differing = TABLE_NAMES.find((table) => rows.get(table) !== stored.rows[table]);
  if (differing !== undefined)
    throw new WrongRows(
      folder,
      `the number of rows of ${differing} on ${day.date} differs from the number that the day's blocks state`,
    );
  const odd = await findOddBlock(engine, chain.name, span, formOf(manifest));
  if (odd !== null)
    throw new WrongRows(
      folder,
      `the rows of ${odd.table} in block ${odd.block} differ from that block in number, time, hash or record_index`,
    );
}

async function storedRows(
  engine: Engine,
  chain: Chain,
  { first, last }: BlockSpan,
): Promise<Map<TableName, number>> {
  const counts = TABLE_NAMES.map((table) => {
    const block = identifier(tableOf(table).blockColumn);
    return sql`SELECT ${text(table)} AS name, count() AS rows FROM ${engineTable(chain.name, table)}
      WHERE ${block} >= ${integer(first)} AND ${block} <= ${integer(last)}`;
  });
  const rows = await engine.query<{ name: TableName; rows: number }>(joinSql(counts, " UNION ALL "));
  return new Map(rows.map((row) => [row.name, row.rows]));
}

function fileOf({ files, date }: ManifestDay, table: TableName): ManifestFile {
  const file = files[table];
  if (file === undefined) throw new MissingFile(`${table} of ${date}`);
  return file;
}

class HoldsOtherBlocks extends BaseError {
  constructor(folder: string, { firstBlock, blockNumber }: Commit) {
    super(
      "data-directory",
      `The data directory holds blocks ${firstBlock} to ${blockNumber}, which do not match the first days of the export in ${folder}. ` +
        "Import into an empty directory (--data).",
    );
  }
}

class MissingFile extends BaseError {
  constructor(file: string) {
    super(
      "verification",
      `${file} is missing. Copy it from the original export, or export again; ` +
        "the earlier days are already imported.",
    );
  }
}

class DamagedFile extends BaseError {
  constructor(path: string) {
    super(
      "verification",
      `${path} is damaged: its SHA-256 does not match the manifest. Copy it from the original export, or export ` +
        "again; the earlier days are already imported.",
    );
  }
}

class WrongRows extends BaseError {
  constructor(path: string, problem: string) {
    super("verification", `${path} cannot be imported: ${problem}.`);
  }
}
