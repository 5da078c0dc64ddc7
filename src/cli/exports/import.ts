import type { Config } from "../../config/load-config.ts";
import { type Imported, importChain } from "../../exports/import-chain.ts";
import { type Importable, requireImportable } from "../../exports/importable.ts";
import { exportedScope } from "../../exports/manifest.ts";
import { unlessAborted } from "../../lib/async/abort.ts";
import { configuredChain } from "../configured-chain.ts";
import { openStore } from "../open-store.ts";
import { shutdownSignal } from "../shutdown.ts";
import { ProgressView } from "./progress-view.ts";

/** Imports an export of all tables, and prints the result. */
export async function importFolder(
  { settings, chains }: Config<"chain" | "data" | "engineMemory" | "fsync">,
  directory: string,
  json: boolean,
): Promise<void> {
  const chain = configuredChain(chains, settings.chain);
  const importable = await requireImportable(directory, chain);
  const signal = shutdownSignal();
  const opened = await openStore(settings);
  const view = new ProgressView("importing");
  try {
    const { engine, openChain } = opened;
    const store = await openChain(chain, exportedScope(importable.manifest).keep);
    const imported = await unlessAborted(signal, () =>
      importChain({
        ...importable,
        chain,
        engine,
        store,
        signal,
        onProgress: (progress) => view.update(progress),
      }),
    );
    if (imported === null) view.interrupted();
    else print(resultOf(importable, imported), json);
  } finally {
    view.stop();
    await opened.close();
  }
}

function resultOf({ manifest: { chain, days } }: Importable, { importedDays }: Imported) {
  return {
    chain,
    first_block: days[0]?.first_block ?? null,
    last_block: days.at(-1)?.last_block ?? null,
    days: days.length,
    imported_days: importedDays,
  };
}

function print(result: ReturnType<typeof resultOf>, json: boolean): void {
  const { first_block, last_block, days, imported_days } = result;
  process.stdout.write(
    json
      ? `${JSON.stringify(result)}\n`
      : `Blocks ${first_block} to ${last_block}: ${days} ${days === 1 ? "day" : "days"}, ${imported_days} imported now\n`,
  );
}
