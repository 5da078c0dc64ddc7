import { Command, Option } from "commander";
import { SERVER_SETTING_NAMES } from "../../config/groups/server-settings.ts";
import { addExamples, addSettings, configOf } from "../options.ts";
import { rangeEnd } from "../range-end.ts";
import type { PruneFlags } from "./prune.ts";

const SETTING_NAMES = ["chain", "data", ...SERVER_SETTING_NAMES, "engineMemory"] as const;

/** `quarry prune`: removes the raw rows of old blocks. */
export function pruneCommand(): Command {
  const command = new Command("prune")
    .description(
      "remove transactions, logs and transfers of old blocks; prices, trades, balances and wallets do not change",
    )
    .addOption(
      new Option("--before <block>", "first block or day (YYYY-MM-DD) whose rows are kept")
        .argParser(rangeEnd)
        .makeOptionMandatory(),
    )
    .option("--dry-run", "print what would be removed without removing it")
    .option("--json", "print the result as one JSON object");
  addSettings(command, SETTING_NAMES);
  addExamples(command, [
    ["show what would be freed", "quarry prune --before 2024-01-01 --dry-run --data ./mainnet"],
    ["remove these rows; stop the service first", "quarry prune --before 2024-01-01 --data ./mainnet"],
  ]);
  return command.action(async () => {
    const config = configOf(command, SETTING_NAMES);
    const { prune } = await import("./prune.ts");
    await prune(config, command.opts<PruneFlags>());
  });
}
