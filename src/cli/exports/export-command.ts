import { Argument, Command, Option } from "commander";
import type { Config } from "../../config/load-config.ts";
import { type Exported, exportChain } from "../../exports/export-chain.ts";
import { FILE_FORMATS, type FileFormat } from "../../exports/file-format.ts";
import { exportedTables } from "../../exports/manifest.ts";
import type { RangeEnd } from "../../exports/range.ts";
import { unlessAborted } from "../../lib/async/abort.ts";
import { PUBLIC_TABLE_NAMES, TABLE_NAMES, type TableName } from "../../schema/tables.ts";
import { configuredChain } from "../configured-chain.ts";
import { asStored, openEngine } from "../open-store.ts";
import { addExamples, addSettings, configOf } from "../options.ts";
import { rangeEnd } from "../range-end.ts";
import { shutdownSignal } from "../shutdown.ts";
import { ProgressView } from "./progress-view.ts";

const SETTING_NAMES = ["chain", "data", "clickhouse", "engineMemory"] as const;
const ALL = "all";

interface ExportFlags {
  from?: RangeEnd;
  to?: RangeEnd;
  format: FileFormat;
  out: string;
  includeUnfinal?: true;
  json?: true;
}

/** `quarry export <table>`: writes stored rows to files, one per table and day. */
export function exportCommand(): Command {
  const command = new Command("export")
    .description("export tables as files, one for each day (UTC); run it again to resume or extend")
    .addArgument(
      new Argument("<table>", "a table, or all: every table, as an import needs").choices([
        ALL,
        ...PUBLIC_TABLE_NAMES,
      ]),
    )
    .addOption(
      new Option(
        "--from <start>",
        "first block, or first day (YYYY-MM-DD); default: the first stored",
      ).argParser(rangeEnd),
    )
    .addOption(
      new Option(
        "--to <end>",
        "last block, or last day (YYYY-MM-DD); default: the newest final block",
      ).argParser(rangeEnd),
    )
    .addOption(new Option("--format <format>", "file format").choices(FILE_FORMATS).default("parquet"))
    .requiredOption("--out <dir>", "folder for the files; created if it is missing")
    .option("--include-unfinal", "also export blocks that a reorg may still replace")
    .option("--json", "print the result as one JSON object");
  addSettings(command, SETTING_NAMES);
  addExamples(command, [
    ["all trades as Parquet, even while a service is running", "quarry export dex_trades --out ./files"],
    [
      "a week of transfers as CSV",
      "quarry export erc20 --from 2024-01-01 --to 2024-01-07 --format csv --out ./week",
    ],
    ["everything, for another machine", "quarry export all --data ./mainnet --out ./backup"],
  ]);
  return command.action(async (table: TableName | typeof ALL) => {
    await runExport(configOf(command, SETTING_NAMES), table, command.opts<ExportFlags>());
  });
}

async function runExport(
  { settings, chains }: Config<(typeof SETTING_NAMES)[number]>,
  table: TableName | typeof ALL,
  { json, ...flags }: ExportFlags,
): Promise<void> {
  const configured = configuredChain(chains, settings.chain);
  const signal = shutdownSignal();
  const store = await openEngine(settings);
  const view = new ProgressView("exporting");
  try {
    const tables = table === ALL ? TABLE_NAMES : [table];
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
  return (
    `Blocks ${first_block} to ${last_block}: ${days} days (${written_days} written now, the others were complete), ` +
    `${rows} rows in ${folder}\n${warning}`
  );
}
