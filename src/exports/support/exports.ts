import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { dropChain } from "../../../test/support/engine/drop-chain.ts";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { temporaryFolder } from "../../../test/support/processes/processes.ts";
import { ethereum } from "../../chains/ethereum.ts";
import { TABLE_NAMES } from "../../schema/tables.ts";
import { openChainStore } from "../../storage/clickhouse-store.ts";
import type { ChainStore, Engine } from "../../storage/store.ts";
import { type Exported, type ExportOptions, exportChain } from "../export-chain.ts";
import { type Imported, importChain } from "../import-chain.ts";
import { requireImportable } from "../importable.ts";
import { commitDays } from "./day-chain.ts";

export const DAYS = { ...ethereum, name: "days" };
export const FIRST = 100;

/** A chain of a few days in an engine, for tests that export it, drop it and import it again. */
export interface ExportedDays {
  engine: Engine;
  open(): Promise<ChainStore>;
  /** Stores blocks from 100 on, five per day; the last `unfinal` are not final. */
  store(count: number, unfinal?: number): Promise<ChainStore>;
  drop(): Promise<void>;
  newFolder(): string;
  export(out: string, options?: Partial<ExportOptions>): Promise<Exported>;
  /** @param over an engine that runs the statements instead of `engine` */
  import(out: string, over?: Engine): Promise<Imported>;
  /** Imports into a store that is already open. */
  importInto(store: ChainStore, out: string): Promise<Imported>;
  close(): Promise<void>;
}

export async function openExportedDays(): Promise<ExportedDays> {
  const { engine, close } = await openFreshEngine();
  const folder = temporaryFolder();
  let folders = 0;
  const signal = new AbortController().signal;
  const open = (over: Engine = engine) => openChainStore(over, DAYS.name);
  const importFrom = async (out: string, over: Engine, store: ChainStore) => {
    const importable = await requireImportable(out, DAYS);
    return importChain({ ...importable, chain: DAYS, engine: over, store, signal });
  };
  return {
    engine,
    open: () => open(),
    async store(count, unfinal = 0) {
      const store = await open();
      await commitDays(store, { first: FIRST, last: FIRST + count - 1 }, unfinal);
      return store;
    },
    drop: () => dropChain(engine, DAYS.name),
    newFolder: () => join(folder.path, String(folders++)),
    export: (out, options = {}) =>
      exportChain({ chain: DAYS, tables: TABLE_NAMES, format: "parquet", signal, engine, out, ...options }),
    import: async (out, over = engine) => importFrom(out, over, await open(over)),
    importInto: (store, out) => importFrom(out, engine, store),
    async close() {
      await close();
      folder.remove();
    },
  };
}

/** Returns the paths of all files below a folder. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
