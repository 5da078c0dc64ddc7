import { createHash } from "node:crypto";
import { systemClock } from "../lib/async/clock.ts";
import { inParallel } from "../lib/async/in-parallel.ts";
import { BaseError } from "../lib/error.ts";
import { DATA_FORMAT } from "../storage/directory/data-directory.ts";
import { type FrozenTables, frozenName, removeAllFrozen } from "../storage/directory/frozen-files.ts";
import type { Engine } from "../storage/store.ts";
import { NoRoom } from "./no-room.ts";
import { packedBytes, packPart } from "./parts/packed-part.ts";
import { type PartFiles, partFiles } from "./parts/part-files.ts";
import {
  allBackups,
  type BackedUpPart,
  backupIds,
  MANIFEST_VERSION,
  type Manifest,
  newBackupId,
  partFileName,
  partOfFile,
  partsOf,
  type StoredPart,
  writeManifest,
} from "./records/manifest.ts";
import { readUnfinished, removeUnfinished, writeUnfinished } from "./records/unfinished.ts";
import { type Retained, removeOldBackups } from "./retention.ts";
import { type FrozenChain, freezeStore } from "./snapshot/frozen-store.ts";
import type { BackupTarget } from "./targets/target.ts";

export interface BackupOptions {
  engine: Engine;
  /** The engine's own directory, which this process must be able to read. */
  enginePath: string;
  /** Names of tables that belong to no chain. */
  storeTables: readonly string[];
  /** A locked target. */
  target: BackupTarget;
  /** Number of backups of these chains to keep, this one included; default: all. */
  keep?: number | undefined;
  signal: AbortSignal;
  onProgress?(progress: BackupProgress): void;
}

export interface BackupProgress {
  table: string;
  doneBytes: number;
  totalBytes: number;
}

export interface BackedUp extends Retained {
  manifest: Manifest;
  /** Number of bytes in all files of the backup, and in the files that this run copied. */
  bytes: number;
  copiedBytes: number;
}

/**
 * Backs up a store as of one commit of each chain. Parts that the target already has are not copied again.
 * The manifest is written last, so an interrupted backup is not listed, and the next one continues it.
 *
 * @throws NothingToBackUp, KeepsChanging, NotFrozen, NoRoom
 */
export async function backUpStore(options: BackupOptions): Promise<BackedUp> {
  const { engine, enginePath, storeTables, target, signal } = options;
  const createdAt = Math.floor(systemClock.now() / 1000);
  const id = newBackupId(createdAt, await backupIds(target));
  await removeAllFrozen(enginePath);
  try {
    const frozen = await freezeStore({ engine, enginePath, name: frozenName(id), storeTables, signal });
    const parts = await listParts(frozen.tables);
    const { stored, copiedBytes } = await new PartCopy(options, parts).run();
    const manifest: Manifest = {
      version: MANIFEST_VERSION,
      id,
      data_format: DATA_FORMAT,
      created_at: createdAt,
      chains: frozen.chains.map(chainEntry),
      tables: tableEntries(parts, stored),
    };
    await writeManifest(target, manifest);
    await removeUnfinished(target);
    const retained = await removeOldBackups(target, manifest, options.keep);
    return { manifest, bytes: backupBytes(manifest), copiedBytes, ...retained };
  } finally {
    await removeAllFrozen(enginePath);
  }
}

/** Returns the size of all files of a backup, including the files that it shares with other backups. */
export function backupBytes(manifest: Manifest): number {
  return [...partsOf(manifest).values()].reduce((sum, { bytes }) => sum + bytes, 0);
}

function chainEntry({ name, chainId, commit }: FrozenChain): Manifest["chains"][number] {
  return {
    name,
    chain_id: chainId,
    commit: commit.sequence,
    first_block: commit.firstBlock,
    last_block: commit.blockNumber,
    last_hash: commit.blockHash,
    last_timestamp: commit.timestamp,
    finalized: commit.finalized,
  };
}

/** A part of a table. */
interface TablePart {
  table: string;
  name: string;
  part: PartFiles;
}

async function listParts(tables: FrozenTables): Promise<TablePart[]> {
  const listed: TablePart[] = [];
  for (const [table, parts] of tables) {
    for (const { name, folder } of parts) listed.push({ table, name, part: await partFiles(folder) });
  }
  return listed;
}

function tableEntries(parts: readonly TablePart[], stored: ReadonlyMap<string, StoredPart>) {
  const tables: Record<string, BackedUpPart[]> = {};
  for (const { table, name, part } of parts) {
    const found = stored.get(part.id);
    if (found === undefined) throw new BaseError("internal", `part ${name} of ${table} was not copied`);
    tables[table] ??= [];
    tables[table].push({ ...found, name });
  }
  return tables;
}

/** Interval at which a backup records which parts are already stored. */
const RECORD_MS = 15_000;

/** Copies the parts that a target does not have. */
class PartCopy {
  readonly #options: BackupOptions;
  readonly #parts: readonly TablePart[];
  readonly #stored = new Map<string, StoredPart>();
  #missing: TablePart[] = [];
  #totalBytes = 0;
  #doneBytes = 0;
  #recordedMs = systemClock.monotonic();
  #recording = Promise.resolve();

  constructor(options: BackupOptions, parts: readonly TablePart[]) {
    this.#options = options;
    this.#parts = parts;
  }

  async run(): Promise<{ stored: ReadonlyMap<string, StoredPart>; copiedBytes: number }> {
    await this.#findStored();
    await this.#requireRoom();
    try {
      await inParallel(this.#missing, this.#options.target.parallel, (part) => this.#copy(part));
      await this.#recording;
    } catch (error) {
      // Report this error, not one from writing the record, which may fail for the same reason.
      await this.#record().catch(() => undefined);
      throw error;
    }
    return { stored: this.#stored, copiedBytes: this.#doneBytes };
  }

  /**
   * Finds the parts that the target already has: those that a manifest or record lists, with a file of the
   * right size.
   */
  async #findStored(): Promise<void> {
    const { target } = this.#options;
    const sizes = new Map((await target.list("parts/")).map(({ name, bytes }) => [partOfFile(name), bytes]));
    const { manifests } = await allBackups(target);
    const listed = [
      ...(await readUnfinished(target)),
      ...manifests.flatMap((one) => [...partsOf(one).values()]),
    ];
    for (const { id, bytes, sha256 } of listed)
      if (sizes.get(id) === bytes) this.#stored.set(id, { id, bytes, sha256 });
    const missing = this.#parts.filter(({ part }) => !this.#stored.has(part.id));
    this.#missing = [...new Map(missing.map((one) => [one.part.id, one])).values()];
    this.#totalBytes = this.#missing.reduce((sum, { part }) => sum + packedBytes(part), 0);
  }

  async #requireRoom(): Promise<void> {
    const { target } = this.#options;
    const free = await target.freeBytes();
    const needed = this.#totalBytes + SPARE_BYTES;
    if (free !== null && free < needed)
      throw new NoRoom(
        { place: target.place, free, needed },
        "Free some space, or choose another place with --to.",
      );
  }

  async #copy({ table, part }: TablePart): Promise<void> {
    const { target, signal } = this.#options;
    this.#report(table);
    const hash = createHash("sha256");
    const bytes = packedBytes(part);
    const packed = this.#watched(packPart(part), (chunk) => {
      hash.update(chunk);
      this.#doneBytes += chunk.length;
      this.#report(table);
    });
    await target.write(partFileName(part.id), packed);
    signal.throwIfAborted();
    this.#stored.set(part.id, { id: part.id, bytes, sha256: hash.digest("hex") });
    if (systemClock.monotonic() - this.#recordedMs > RECORD_MS) {
      this.#recordedMs = systemClock.monotonic();
      await this.#record();
    }
  }

  async *#watched(chunks: AsyncIterable<Uint8Array>, onChunk: (chunk: Uint8Array) => void) {
    for await (const chunk of chunks) {
      this.#options.signal.throwIfAborted();
      onChunk(chunk);
      yield chunk;
    }
  }

  #record(): Promise<void> {
    this.#recording = this.#recording.then(() =>
      writeUnfinished(this.#options.target, [...this.#stored.values()]),
    );
    return this.#recording;
  }

  #report(table: string): void {
    this.#options.onProgress?.({ table, doneBytes: this.#doneBytes, totalBytes: this.#totalBytes });
  }
}

/** Space that must stay free on the disk of a target. */
const SPARE_BYTES = 64 * 1024 ** 2;
