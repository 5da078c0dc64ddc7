import type { ServerSetting } from "../../config/groups/server-settings.ts";
import type { Config } from "../../config/load-config.ts";
import { type Exported, exportChain } from "../../exports/export-chain.ts";
import type { FileFormat } from "../../exports/file-format.ts";
import { exportedTables } from "../../exports/manifest.ts";
import type { RangeEnd } from "../../exports/range.ts";
import { unlessAborted } from "../../lib/async/abort.ts";
import type { TableName } from "../../schema/tables.ts";
import { configuredChain } from "../configured-chain.ts";
import { asStored, openEngine } from "../open-store.ts";
import { shutdownSignal } from "../shutdown.ts";
import { ProgressView } from "./progress-view.ts";

export interface ExportFlags {
  from?: RangeEnd;
  to?: RangeEnd;
  format: FileFormat;
  out: string;
  includeUnfinal?: true;
  json?: true;
}

/** Writes stored rows to files, and prints the result. */
export async function exportTables(
  { settings, chains }: Config<"chain" | "data" | ServerSetting | "engineMemory">,
  tables: readonly TableName[],
  { json, ...flags }: ExportFlags,
): Promise<void> {
  const configured = configuredChain(chains, settings.chain);
  const signal = shutdownSignal();
  const store = await openEngine({ ...settings, mayBeReadOnly: true });
  const view = new ProgressView("exporting");
  try {
    const { engine } = store;
    const chain = await asStored(engine, configured);
    const exported = await unlessAborted(signal, () =>
      exportChain({
        ...flags,
        engine,
        chain,
        tables,
        signal,
        onProgress: (progress) => view.update(progress),
      }),
    );
    if (exported === null) view.interrupted();
    else process.stdout.write(json === true ? `${JSON.stringify(resultOf(exported))}\n` : textOf(exported));
  } finally {
    view.stop();
    await store.close();
  }
}

function resultOf({ folder, manifest, writtenDays }: Exported) {
  const { chain, format, days } = manifest;
  const files = days.flatMap((day) => Object.values(day.files));
  return {
    ...{ folder, chain, format, tables: exportedTables(manifest) },
    first_block: days[0]?.first_block ?? null,
    last_block: days.at(-1)?.last_block ?? null,
    days: days.length,
    written_days: writtenDays,
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    final: days.every(({ final }) => final),
  };
}

function textOf(exported: Exported): string {
  const { folder, first_block, last_block, days, written_days, rows, final } = resultOf(exported);
  const warning = final ? "" : "Some blocks are not final: a reorg may still replace them.\n";
  const complete = days - written_days;
  const before = complete === 0 ? "" : ` (${complete} of them already complete)`;
  return `Blocks ${first_block} to ${last_block}: ${days} ${days === 1 ? "day" : "days"}${before}, ${rows} rows in ${folder}\n${warning}`;
}
