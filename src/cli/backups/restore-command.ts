import { Command } from "commander";
import { addExamples, addSettings, configOf } from "../options.ts";
import { endpointOption, idOption } from "./place-options.ts";

const SETTING_NAMES = ["data", "engineMemory"] as const;

interface RestoreFlags {
  from: string;
  backup?: string;
  s3Endpoint?: string;
  webhooks: boolean;
  json?: true;
}

/** `quarry restore`: makes a data directory from a backup. */
export function restoreCommand(): Command {
  const command = new Command("restore")
    .description("restore a backup into a new data directory, from which indexing can continue")
    .requiredOption("--from <place>", "folder, or s3://bucket/prefix, with the backups")
    .addOption(idOption("id of the backup; default: the newest"))
    .addOption(endpointOption())
    .option("--no-webhooks", "leave out webhooks, so that no receiver gets deliveries from two services")
    .option("--json", "print the result as JSON");
  addSettings(command, SETTING_NAMES);
  addExamples(command, [
    ["the newest backup", "quarry restore --from /backups --data ./mainnet"],
    [
      "an earlier one, from a bucket",
      "quarry restore --from s3://bucket/eth --backup 20260131T020000Z --data ./mainnet",
    ],
    [
      "a copy next to the service that delivers webhooks",
      "quarry restore --from /backups --data ./copy --no-webhooks",
    ],
  ]);
  return command.action(async () => {
    const { settings } = configOf(command, SETTING_NAMES);
    const { from: place, backup: id, s3Endpoint: endpoint, webhooks, json } = command.opts<RestoreFlags>();
    const { restore } = await import("./restore.ts");
    await restore(settings, { place, id, endpoint, hasWebhooks: webhooks, json: json === true });
  });
}
