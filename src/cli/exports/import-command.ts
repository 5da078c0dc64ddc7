import { Command } from "commander";
import { addExamples, addSettings, configOf } from "../options.ts";

const SETTING_NAMES = ["chain", "data", "engineMemory", "fsync"] as const;

/** `quarry import <dir>`: stores the rows of an export of all tables in a data directory. */
export function importCommand(): Command {
  const command = new Command("import")
    .description("import an export of all tables into an empty data directory; run it again to resume")
    .argument("<dir>", "the folder given to `quarry export all --out`")
    .option("--json", "print the result as one JSON object");
  addSettings(command, SETTING_NAMES);
  addExamples(command, [
    ["an export of Ethereum", "quarry import ./backup --chain eth --data ./mainnet"],
    ["the result for a script", "quarry import ./backup --chain base --data ./base --json"],
  ]);
  return command.action(async (directory: string) => {
    const config = configOf(command, SETTING_NAMES);
    const { importFolder } = await import("./import.ts");
    await importFolder(config, directory, command.opts().json === true);
  });
}
