import { Argument, Command, Option } from "commander";
import { SERVER_SETTING_NAMES } from "../../config/groups/server-settings.ts";
import { FILE_FORMATS } from "../../exports/file-format.ts";
import { PUBLIC_TABLE_NAMES, TABLE_NAMES, type TableName } from "../../schema/tables.ts";
import { addExamples, addSettings, configOf } from "../options.ts";
import { rangeEnd } from "../range-end.ts";
import type { ExportFlags } from "./export.ts";

const SETTING_NAMES = ["chain", "data", ...SERVER_SETTING_NAMES, "engineMemory"] as const;
const ALL = "all";

/** `quarry export <table>`: writes stored rows to files, one per table and day. */
export function exportCommand(): Command {
  const command = new Command("export")
    .description("export tables as files, one for each day (UTC); run it again to resume or extend")
    .addArgument(
      new Argument("<table>", "a table, or all for every table, as an import needs").choices([
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
    const config = configOf(command, SETTING_NAMES);
    const { exportTables } = await import("./export.ts");
    await exportTables(config, table === ALL ? TABLE_NAMES : [table], command.opts<ExportFlags>());
  });
}
