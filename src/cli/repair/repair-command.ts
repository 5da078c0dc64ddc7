import { Argument, Command } from "commander";
import { addExamples, addSettings, configOf } from "../options.ts";
import { NO_ENDPOINT } from "../rpc-endpoints.ts";
import { REPAIR_SETTINGS } from "./repair-settings.ts";

/** With a token list, no endpoint is needed. */
const DEFAULTS = { rpc: NO_ENDPOINT };

/** The kinds of data that can be repaired. */
const SUBJECTS = ["metadata"];

/** `quarry repair metadata`: fills in the names and decimals that stored tokens lack. */
export function repairCommand(): Command {
  const command = new Command("repair")
    .description(
      "fill in missing names and decimals of stored tokens, and all values derived from them (stop the service first)",
    )
    .addArgument(new Argument("<subject>", "what to repair").choices(SUBJECTS))
    .option("--dry-run", "only print what would be filled in");
  addSettings(command, REPAIR_SETTINGS, DEFAULTS);
  addExamples(command, [
    [
      "use an endpoint; it need not be an archive node",
      "quarry repair metadata --rpc https://node.example --data ./mainnet",
    ],
    [
      "use a token list (https://tokenlists.org)",
      "quarry repair metadata --tokens ./uniswap.json --data ./mainnet",
    ],
    ["see what would be filled in", "quarry repair metadata --rpc https://node.example --dry-run"],
  ]);
  return command.action(async () => {
    const config = configOf(command, REPAIR_SETTINGS, DEFAULTS);
    const { repairMetadata } = await import("./repair-metadata.ts");
    await repairMetadata(config, command.opts().dryRun === true);
  });
}
