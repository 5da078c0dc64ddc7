import { Command, Option } from "commander";
import { ANSWER_FORMAT_NAMES } from "../../reads/rows/answer-format.ts";
import { addExamples, addSettings, configOf } from "../options.ts";
import { QUERY_TARGET_SETTINGS } from "./target-settings.ts";

/** Settings of the target, and limits of the temporary service that is used if no service is running. */
const QUERY_SETTINGS = [
  ...QUERY_TARGET_SETTINGS,
  "queryTime",
  "queryMemory",
  "sqlRows",
  "sqlText",
  "sqlDepth",
  "answerSize",
  "answerMemory",
] as const;

const EXAMPLES = [
  ["list the tables", 'quarry query "SHOW TABLES"'],
  [
    "the five busiest tokens",
    'quarry query "SELECT token_symbol, COUNT(*) AS trades FROM eth_dex_trades \
GROUP BY token_symbol ORDER BY trades DESC LIMIT 5"',
  ],
  [
    "a file for pandas or DuckDB",
    'quarry query "SELECT * FROM eth_dex_trades LIMIT 1000000" --format parquet --output trades.parquet',
  ],
  ["a query from a file", "quarry query - --format csv < report.sql"],
] as const;

/** `quarry query <sql>`: queries a running service, or the data directory if none is running. */
export function queryCommand(): Command {
  const command = new Command("query")
    .description("run a SQL query")
    .argument("<sql>", "SQL query; - reads it from standard input")
    .addOption(
      new Option("--format <format>", "output format")
        .choices(["table", ...ANSWER_FORMAT_NAMES])
        .default("table"),
    )
    .option("--csv-safe", "in csv, put an apostrophe before strings that spreadsheets would run as formulas")
    .option("--output <file>", "output file; - is standard output (default: -)");
  addSettings(command, QUERY_SETTINGS);
  addExamples(command, EXAMPLES);
  return command.action(async (given: string) => {
    const config = configOf(command, QUERY_SETTINGS);
    const { runQuery } = await import("./query.ts");
    await runQuery(given, command, config);
  });
}
