import { Command } from "commander";
import { SERVER_SETTING_NAMES } from "../../config/groups/server-settings.ts";
import { addExamples, addSettings, configOf } from "../options.ts";

const SETTING_NAMES = ["chain", "data", ...SERVER_SETTING_NAMES, "logLevel"] as const;

/** `quarry extension`: shows or cancels an extension to earlier blocks that a lower `--from` started. */
export function extensionCommand(): Command {
  const command = new Command("extension")
    .description("show or cancel the extension of an index to earlier blocks, started with a lower `--from`")
    .option("--cancel", "cancel it and free its disk space; the index does not change");
  addSettings(command, SETTING_NAMES);
  addExamples(command, [
    ["show its progress; works while a service is running", "quarry extension --data ./mainnet"],
    ["cancel it (stop the service first)", "quarry extension --cancel --data ./mainnet"],
  ]);
  return command.action(async () => {
    const config = configOf(command, SETTING_NAMES);
    const { cancelExtension, showExtension } = await import("./extension.ts");
    await (command.opts().cancel === true ? cancelExtension : showExtension)(config);
  });
}
