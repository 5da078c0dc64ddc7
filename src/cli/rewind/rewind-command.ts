import { Command } from "commander";
import { SERVER_SETTING_NAMES } from "../../config/groups/server-settings.ts";
import { addExamples, addSettings, configOf } from "../options.ts";

const SETTING_NAMES = ["chain", "data", ...SERVER_SETTING_NAMES, "logLevel"] as const;

/** `quarry rewind <block>`: rolls back the newest blocks, including final ones. */
export function rewindCommand(): Command {
  const command = new Command("rewind")
    .description("roll back all blocks above the given one, including final ones")
    .argument("<block>", "the block that becomes the newest");
  addSettings(command, SETTING_NAMES);
  addExamples(command, [["make block 18000000 the newest", "quarry rewind 18000000 --data ./mainnet"]]);
  return command.action(async (block: string) => {
    const config = configOf(command, SETTING_NAMES);
    const { rewind } = await import("./rewind.ts");
    await rewind(block, config);
  });
}
