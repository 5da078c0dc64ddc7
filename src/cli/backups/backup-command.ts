import { Argument, Command, Option } from "commander";
import { BaseError } from "../../lib/error.ts";
import { addExamples, addSettings, configOf } from "../options.ts";
import { ACTION_NAMES, type ActionName } from "./action-names.ts";
import { endpointOption, idOption } from "./place-options.ts";

const SETTING_NAMES = ["data", "clickhouse", "engineMemory"] as const;

const EXAMPLES = [
  [
    "to a folder, even while a service is running; run it again to copy the changes",
    "quarry backup --to /backups",
  ],
  ["every night, keeping the last seven", "quarry backup --to /backups --keep 7 --data ./mainnet"],
  [
    "to a bucket, with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment",
    "quarry backup --to s3://bucket/eth --s3-endpoint https://s3.example.org",
  ],
  ["check every byte of all backups", "quarry backup verify --from /backups"],
] as const;

interface BackupOptions {
  to?: string;
  from?: string;
  keep?: number;
  backup?: string;
  s3Endpoint?: string;
  json?: true;
}

/** `quarry backup`: copies a data directory, whether or not a service is using it. */
export function backupCommand(): Command {
  const command = new Command("backup")
    .description("back up a data directory to a folder or bucket; run it again to add the changes")
    .addArgument(
      new Argument("[action]", "list or verify existing backups instead of making one").choices(ACTION_NAMES),
    )
    .addOption(new Option("--to <place>", "folder, or s3://bucket/prefix, for the backup"))
    .addOption(new Option("--from <place>", "list, verify: folder, or s3://bucket/prefix, with the backups"))
    .addOption(
      new Option("--keep <number>", "keep this many backups, including the new one; default: all").argParser(
        wholeNumber,
      ),
    )
    .addOption(idOption("verify: id of one backup; default: all"))
    .addOption(endpointOption())
    .option("--json", "print the result as JSON");
  addSettings(command, SETTING_NAMES);
  addExamples(command, EXAMPLES);
  return command.action(async (action: ActionName | undefined) => {
    const { settings } = configOf(command, SETTING_NAMES);
    const options = command.opts<BackupOptions>();
    const place = requirePlace(action, options);
    const flags = { place, endpoint: options.s3Endpoint, json: options.json === true };
    if (action === undefined) {
      const { backUp } = await import("./backup.ts");
      await backUp(settings, { ...flags, keep: options.keep });
    } else {
      const { ACTIONS } = await import("./backup-actions.ts");
      await ACTIONS[action]({ ...flags, id: options.backup });
    }
  });
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidNumber(text);
  return Number(text);
}

/** @throws WrongOption */
function requirePlace(action: ActionName | undefined, { to, from, keep, backup }: BackupOptions): string {
  const [needed, place] = action === undefined ? (["--to", to] as const) : (["--from", from] as const);
  const name = action === undefined ? "quarry backup" : `quarry backup ${action}`;
  if (place === undefined)
    throw new WrongOption(`${name} needs ${needed}, the folder or s3://bucket/prefix of the backups`);
  if (action === undefined && (from !== undefined || backup !== undefined))
    throw new WrongOption("--from and --backup apply only to quarry backup list and verify");
  if (action !== undefined && (to !== undefined || keep !== undefined))
    throw new WrongOption(`--to and --keep apply only to making a backup, not to quarry backup ${action}`);
  if (action === "list" && backup !== undefined)
    throw new WrongOption("--backup applies only to quarry backup verify");
  return place;
}

class WrongOption extends BaseError {
  constructor(problem: string) {
    super("bad-config", `${problem}.`);
  }
}

class InvalidNumber extends BaseError {
  constructor(text: string) {
    super("bad-config", `--keep must be a whole number of at least 1, not ${JSON.stringify(text)}.`);
  }
}
