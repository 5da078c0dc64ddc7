import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { identifier, sql, text } from "../engine-sql/sql-text.ts";
import { inParallel } from "../lib/async/in-parallel.ts";
import { BaseError } from "../lib/error.ts";
import { fileReason, meansFullDisk, systemCode } from "../lib/system-error.ts";
import { openChainStore } from "../storage/clickhouse-store.ts";
import { storedChains } from "../storage/commits/chain-registry.ts";
import { DATA_FORMAT, isReadableFormat, OLDEST_FORMAT } from "../storage/directory/data-directory.ts";
import { freeBytes } from "../storage/directory/disk-space.ts";
import type { RestoredDirectory } from "../storage/directory/restored-directory.ts";
import type { Engine } from "../storage/store.ts";
import { chainTableNames } from "../storage/tables/table-definitions.ts";
import { NoRoom } from "./no-room.ts";
import { InvalidPart, unpackPart } from "./parts/packed-part.ts";
import { type BackedUpChain, type BackedUpPart, type Manifest, partFileName } from "./records/manifest.ts";
import { createTables, REGISTRY_TABLE, type StoreTable } from "./snapshot/backup-tables.ts";
import type { BackupTarget } from "./targets/target.ts";
import { checkedPart, DamagedPart } from "./verify-backup.ts";

export interface RestoreOptions {
  target: BackupTarget;
  manifest: Manifest;
  directory: RestoredDirectory;
  /** Opens the embedded engine of the directory. */
  openEngine(enginePath: string): Promise<Engine>;
  /**
   * Tables that belong to no chain, and how to create them. Any other table of the backup that belongs to no
   * chain is left out.
   */
  storeTables: readonly StoreTable[];
  signal: AbortSignal;
  onProgress?(progress: RestoreProgress): void;
}

export interface RestoreProgress {
  table: string;
  doneBytes: number;
  totalBytes: number;
}

/** A chain that was restored, and the number of rows in its tables. */
export interface RestoredChain extends BackedUpChain {
  rows: number;
}

/**
 * Restores a backup into a directory. The checksum of every file is checked before the engine opens any, and
 * the directory becomes a data directory only at the end.
 *
 * @throws OtherFormat, NoRoom, DamagedPart, MissingFile, UnknownTable, OtherCommit
 */
export async function restoreStore(options: RestoreOptions): Promise<RestoredChain[]> {
  const { manifest, directory } = options;
  if (!isReadableFormat(manifest.data_format)) throw new OtherFormat(manifest);
  const tables = restoredTables(options);
  await requireRoom(options, tables);
  const folder = join(directory.enginePath, "restored");
  await fetchParts(options, tables, folder);
  const engine = await options.openEngine(directory.enginePath);
  let restored: RestoredChain[];
  try {
    const chains = manifest.chains.map(({ name }) => name);
    const storeTables = options.storeTables.filter(({ name }) => manifest.tables[name] !== undefined);
    await createTables(engine, chains, storeTables);
    for (const [table, parts] of tables) await attachParts(engine, { table, parts, folder });
    restored = await openChains(engine, manifest);
  } finally {
    await engine.close();
  }
  await rm(folder, { recursive: true });
  options.signal.throwIfAborted();
  await directory.complete();
  return restored;
}

type Tables = [name: string, parts: BackedUpPart[]][];

/** @throws UnknownTable */
function restoredTables({ manifest, storeTables }: RestoreOptions): Tables {
  const ofChains = manifest.chains.flatMap(({ name }) => chainTableNames(name));
  const known = new Set([REGISTRY_TABLE, ...ofChains, ...storeTables.map(({ name }) => name)]);
  const all = Object.entries(manifest.tables);
  const chainNames = manifest.chains.map(({ name }) => `${name}_`);
  const unknown = all.find(
    ([name]) => !known.has(name) && chainNames.some((start) => name.startsWith(start)),
  );
  if (unknown !== undefined) throw new UnknownTable(unknown[0]);
  return all.filter(([name]) => known.has(name));
}

/** Space that must stay free on the disk of the data directory, as when blocks are indexed. */
const SPARE_BYTES = 256 * 1024 ** 2;

async function requireRoom({ directory }: RestoreOptions, tables: Tables): Promise<void> {
  const free = await freeBytes(directory.path).catch(() => null);
  const needed = bytesOf(tables) + SPARE_BYTES;
  if (free !== null && free < needed)
    throw new NoRoom(
      { place: directory.path, free, needed },
      "Free some space, or choose another directory with --data.",
    );
}

function bytesOf(tables: Tables): number {
  return tables.flatMap(([, parts]) => parts).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Fetches all parts, each into the folder of its table. */
async function fetchParts(options: RestoreOptions, tables: Tables, folder: string): Promise<void> {
  const { target, signal, onProgress } = options;
  const all = tables.flatMap(([table, parts]) => parts.map((part) => ({ table, part })));
  const totalBytes = bytesOf(tables);
  let doneBytes = 0;
  await inParallel(all, target.parallel, async ({ table, part }) => {
    signal.throwIfAborted();
    onProgress?.({ table, doneBytes, totalBytes });
    await fetchPart(target, part, join(folder, table, part.name));
    doneBytes += part.bytes;
  });
}

async function fetchPart(target: BackupTarget, part: BackedUpPart, folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await unpackPart(checkedPart(target, part), folder);
  } catch (error) {
    // The list of the part's files is damaged. This is detected before the checksum is compared.
    if (error instanceof InvalidPart) throw new DamagedPart(target.place, partFileName(part.id));
    throw error instanceof BaseError || systemCode(error) === "" ? error : new Unwritable(folder, error);
  }
}

/** Adds the fetched parts to a table, in their original order. */
async function attachParts(
  engine: Engine,
  { table, parts, folder }: { table: string; parts: readonly BackedUpPart[]; folder: string },
): Promise<void> {
  const [found] = await engine.query<{ path: string }>(
    sql`SELECT data_paths[1] AS path FROM system.tables WHERE database = currentDatabase() AND name = ${text(table)}`,
  );
  if (found === undefined) throw new UnknownTable(table);
  for (const { name } of [...parts].sort((a, b) => firstBlockOf(a) - firstBlockOf(b))) {
    await rename(join(folder, table, name), join(found.path, "detached", name));
    await engine
      .execute(sql`ALTER TABLE ${identifier(table)} ATTACH PART ${text(name)}`)
      .catch((error: unknown) => {
        throw error instanceof BaseError && error.code === "engine"
          ? new NotAPart(table, name, error)
          : error;
      });
  }
}

/**
 * Returns the number of the first insert in a part. Part names are `partition_first_last_level`, and the
 * numbers count the inserts into a table.
 */
function firstBlockOf({ name }: BackedUpPart): number {
  return Number(name.split("_")[1]);
}

/** Opens the chains for writing, which removes the rows that were written after their commit. */
async function openChains(engine: Engine, { chains }: Manifest): Promise<RestoredChain[]> {
  const registered = await storedChains(engine);
  const restored: RestoredChain[] = [];
  for (const chain of chains) {
    if (!registered.some(({ name, chainId }) => name === chain.name && chainId === chain.chain_id))
      throw new NotRegistered(chain);
    const store = await openChainStore(engine, chain.name);
    const commit = await store.committed();
    if (commit?.sequence !== chain.commit || commit.blockHash !== chain.last_hash)
      throw new OtherCommit(chain.name);
    restored.push({ ...chain, rows: await rowsOf(engine, chain.name) });
  }
  return restored;
}

async function rowsOf(engine: Engine, chain: string): Promise<number> {
  const [found] = await engine.query<{ rows: number }>(
    sql`SELECT toFloat64(sum(rows)) AS rows FROM system.parts
      WHERE database = currentDatabase() AND active AND startsWith(table, ${text(`${chain}_`)})`,
  );
  return found?.rows ?? 0;
}

class OtherFormat extends BaseError {
  constructor({ id, data_format: found }: Manifest) {
    super(
      "bad-config",
      `Backup ${id} has data format ${found}; this version of Quarry restores formats ` +
        `${OLDEST_FORMAT} to ${DATA_FORMAT}. ` +
        "Restore it with the version of Quarry that wrote it.",
    );
  }
}

class UnknownTable extends BaseError {
  constructor(table: string) {
    super(
      "bad-config",
      `The backup has a table ${table}, which this version of Quarry does not know. Restore it with a newer version.`,
    );
  }
}

/** No command would find the tables of such a chain. */
class NotRegistered extends BaseError {
  constructor({ name, chain_id: chainId }: BackedUpChain) {
    super(
      "verification",
      `The backup lists the chain "${name}" (chain id ${chainId}), but its table of chains does not, so the restore was not completed. ` +
        "This is not what `quarry backup` writes.",
    );
  }
}

/** The checksum of such a part is correct, so it was not damaged on the way. */
class NotAPart extends BaseError {
  constructor(table: string, part: string, cause: BaseError) {
    super(
      "verification",
      `The database cannot read part ${part} of ${table}, although its SHA-256 matches the manifest, so the restore was not completed. ` +
        "This is not what `quarry backup` writes.",
      { cause },
    );
  }
}

class Unwritable extends BaseError {
  constructor(path: string, cause: unknown) {
    super(
      meansFullDisk(cause) ? "disk-full" : "data-directory",
      `Cannot write ${path}: ${fileReason(cause)}. Nothing was restored.`,
      { cause },
    );
  }
}

class OtherCommit extends BaseError {
  constructor(chain: string) {
    super(
      "verification",
      `The restored chain "${chain}" does not end at the same block as the backup, so the restore was not completed. This is a bug in Quarry: please report it.`,
    );
  }
}
