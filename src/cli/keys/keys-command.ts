import { Argument, Command, Option } from "commander";
import type { KeyScope } from "../../api/access/client-keys.ts";
import { BaseError } from "../../lib/error.ts";
import { addExamples, addSettings, configOf } from "../options.ts";
import { ACTION_NAMES, type ActionName } from "./action-names.ts";

/** The same as in `api/access/client-keys.ts`, which the help must not load. */
const SCOPES = ["data", "sql", "metrics"] as const satisfies readonly KeyScope[];
const USUAL_SCOPES = ["data", "sql"] as const satisfies readonly KeyScope[];

const EXAMPLES = [
  ["a key for a dashboard, for 90 days", "quarry keys create dashboard --days 90 --key-file keys.json"],
  ["a key that only Prometheus needs", "quarry keys create prometheus --scopes metrics --key-file keys.json"],
  ["all keys, without the secrets", "quarry keys list --key-file keys.json"],
  ["a key that stops working within two seconds", "quarry keys revoke key_0123456789ab --key-file keys.json"],
] as const;

interface KeyOptions {
  days?: string;
  rate?: string;
  scopes?: string;
  json?: true;
}

/** `quarry keys`: manages the API keys in a file, which running services follow. */
export function keysCommand(): Command {
  const command = new Command("keys")
    .description("manage the API keys of clients: a file of hashes with scopes, rates and expiry")
    .addArgument(new Argument("<action>", "what to do").choices(ACTION_NAMES))
    .argument("[target]", "create: a name for people; revoke: id of the key")
    .addOption(new Option("--days <number>", "create: days until the key expires; default: never"))
    .addOption(
      new Option(
        "--scopes <name[,name]>",
        `create: what the key may be used for, of ${SCOPES.join(", ")}; default: ${USUAL_SCOPES.join(",")}`,
      ),
    )
    .addOption(
      new Option("--rate <number>", "create: requests per second of the key, in place of --client-rate"),
    )
    .option("--json", "print the result as JSON");
  addSettings(command, ["keyFile"]);
  addExamples(command, EXAMPLES);
  return command.action(async (action: ActionName, target: string | undefined) => {
    const { keyFile } = configOf(command, ["keyFile"]).settings;
    if (keyFile === undefined) throw new NoPath();
    const { days, rate, scopes, json } = command.opts<KeyOptions>();
    if (action !== "create") requireNone(action, { days, rate, scopes });
    const { ACTIONS } = await import("./key-actions.ts");
    const result = await ACTIONS[action](keyFile, { target, days, rate, scopes });
    process.stdout.write(json === true ? `${JSON.stringify(result.json)}\n` : result.text);
  });
}

function requireNone(action: ActionName, given: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) throw new OnlyForCreate(name, action);
  }
}

class NoPath extends BaseError {
  constructor() {
    super("bad-config", "--key-file is missing: give the path of the file, or set QUARRY_KEY_FILE.");
  }
}

class OnlyForCreate extends BaseError {
  constructor(name: string, action: string) {
    super("bad-config", `--${name} belongs to quarry keys create; ${action} takes none.`);
  }
}
