import { Command } from "commander";
import { addExamples, addSettings, configOf } from "../options.ts";
import { QUERY_TARGET_SETTINGS } from "./target-settings.ts";

/** `quarry status`: shows how far each chain is indexed, from a running service or the data directory. */
export function statusCommand(): Command {
  const command = new Command("status")
    .description("show the indexing progress of each chain")
    .option("--json", "print the response of GET /v1/status");
  addSettings(command, QUERY_TARGET_SETTINGS);
  addExamples(command, [
    ["the service on this machine, or ./data if none is running", "quarry status"],
    ["another service", "quarry status --url https://quarry.example --key KEY"],
    ["for a script: the lag of the first chain", "quarry status --json | jq '.chains[0].lag_blocks'"],
  ]);
  return command.action(async () => {
    const config = configOf(command, QUERY_TARGET_SETTINGS);
    const { printStatus } = await import("./status.ts");
    await printStatus(command, config);
  });
}
