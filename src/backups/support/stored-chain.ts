import { join } from "node:path";
import { batchOf } from "../../../test/support/engine/random-rows.ts";
import { temporaryFolder } from "../../../test/support/processes/processes.ts";
import { identifier, sql } from "../../engine-sql/sql-text.ts";
import { openChainStore } from "../../storage/clickhouse-store.ts";
import { registerChain } from "../../storage/commits/chain-registry.ts";
import { openDataDirectory } from "../../storage/directory/data-directory.ts";
import { openRestoredDirectory } from "../../storage/directory/restored-directory.ts";
import { openEmbeddedEngine } from "../../storage/engines/embedded-engine.ts";
import type { ChainStore, Engine } from "../../storage/store.ts";
import { WEBHOOK_TABLES, WebhookRecords } from "../../webhooks/records/webhook-records.ts";
import { type BackedUp, type BackupOptions, backUpStore } from "../backup-store.ts";
import { selectedBackup } from "../records/manifest.ts";
import { type RestoredChain, restoreStore } from "../restore-store.ts";
import { folderTarget } from "../targets/folder-target.ts";
import type { BackupTarget } from "../targets/target.ts";

export const CHAIN = "eth";
/** Number of blocks in a batch. */
export const BATCH = 4;
const ROWS = 12;

/** The rows and hashes of tables, by name. */
export type Contents = Record<string, { rows: number; hash: string }>;

/**
 * A data directory with one chain, its backups, and the directories restored from them. Only one engine is
 * open at a time.
 */
export class StoredChain {
  readonly #folder = temporaryFolder();
  readonly data = join(this.#folder.path, "data");
  readonly backups = join(this.#folder.path, "backups");
  readonly target = folderTarget(this.backups);
  readonly #signal = new AbortController().signal;
  #restored = 0;

  remove(): void {
    this.#folder.remove();
  }

  newFolder(): string {
    return join(this.#folder.path, `restored-${this.#restored++}`);
  }

  /** Opens the chain for writing, and runs a function with it. */
  async write<T>(run: (store: ChainStore, engine: Engine) => Promise<T>): Promise<T> {
    return withEngine(this.data, async (engine) => {
      await registerChain(engine, { name: CHAIN, chainId: 1, definition: JSON.stringify({ chainId: 1 }) });
      return run(await openChainStore(engine, CHAIN, { checkpointBlocks: 2 }), engine);
    });
  }

  contents(): Promise<Contents> {
    return withEngine(this.data, contentsOf);
  }

  backUp(options: Partial<BackupOptions> = {}): Promise<BackedUp> {
    return this.write((_, engine) => this.backUpWith(engine, options));
  }

  /** Backs up through an engine that is open. */
  async backUpWith(engine: Engine, options: Partial<BackupOptions> = {}): Promise<BackedUp> {
    const target = options.target ?? this.target;
    const lock = await target.lock((error) => {
      throw error;
    });
    try {
      return await backUpStore({
        engine,
        enginePath: join(this.data, "engine"),
        storeTables: WEBHOOK_TABLES.map(({ name }) => name),
        signal: this.#signal,
        ...options,
        target,
      });
    } finally {
      await lock.release();
    }
  }

  /** Restores a backup into a new folder, and returns its contents. */
  async restore(id?: string, target: BackupTarget = this.target): Promise<Contents> {
    const folder = this.newFolder();
    await this.restoreInto(folder, id, target);
    return withEngine(folder, contentsOf);
  }

  async restoreInto(
    folder: string,
    id?: string,
    target: BackupTarget = this.target,
    storeTables = WEBHOOK_TABLES,
  ): Promise<RestoredChain[]> {
    const manifest = await selectedBackup(target, id);
    const directory = await openRestoredDirectory(folder);
    try {
      return await restoreStore({
        target,
        manifest,
        directory,
        openEngine: (path) => openEmbeddedEngine({ path }),
        storeTables,
        signal: this.#signal,
      });
    } finally {
      await directory.release();
    }
  }
}

/** Runs something with the engine of a data directory. */
export async function withEngine<T>(data: string, run: (engine: Engine) => Promise<T>): Promise<T> {
  const { enginePath, release } = await openDataDirectory(data);
  try {
    const engine = await openEmbeddedEngine({ path: enginePath });
    try {
      return await run(engine);
    } finally {
      await engine.close();
    }
  } finally {
    await release();
  }
}

/** Commits some batches, whose blocks become final if `isFinal`. */
export async function extend(store: ChainStore, batches: number, isFinal = false, fork = "a"): Promise<void> {
  for (let i = 0; i < batches; i++) {
    const first = ((await store.committed())?.blockNumber ?? 99) + 1;
    const last = first + BATCH - 1;
    const batch = batchOf({ first, last, rowsPerTable: ROWS, fork });
    await store.commit(isFinal ? { ...batch, finalized: last } : batch);
  }
}

/** Stores a webhook. */
export async function addWebhook(engine: Engine): Promise<void> {
  await new WebhookRecords(engine).save({
    ...{
      id: "hook_1",
      url: "https://example.org/",
      secret: "secret",
      version: 0,
      createdAt: 1,
      chain: CHAIN,
    },
    ...{ rules: [], isPaused: false },
  } as never);
}

/** Returns the number of rows and a hash of all bits of each table that has rows. */
export async function contentsOf(engine: Engine): Promise<Contents> {
  const tables = await engine.query<{ name: string; engine: string }>(
    sql`SELECT name, engine FROM system.tables WHERE database = currentDatabase() ORDER BY name`,
  );
  const contents: Contents = {};
  for (const { name, engine: kind } of tables) {
    // Other tables replace rows when their parts are merged.
    const final = kind === "MergeTree" ? sql`` : sql`FINAL`;
    const [row] = await engine.query<{ rows: number; hash: string }>(
      sql`SELECT count() AS rows, hex(groupBitXor(sipHash64(formatRow('RowBinary', *)))) AS hash FROM ${identifier(name)} ${final}`,
    );
    if (typeof row?.hash !== "string") throw new Error(`no hash of ${name}`);
    if (row.rows > 0) contents[name] = row;
  }
  return contents;
}
