import { join } from "node:path";
import { Argument, Command, Option } from "commander";
import type { KeyScope } from "../../api/keys/client-keys.ts";
import { BaseError } from "../../lib/error.ts";
import { addExamples, addSettings, configOf } from "../options.ts";
import { ACTION_NAMES, type ActionName } from "./action-names.ts";

/** The same lists as in `api/keys/client-keys.ts`, which the help must not load. */
const SCOPES = ["data", "sql", "metrics", "operations"] as const satisfies readonly KeyScope[];
const USUAL_SCOPES = ["data", "sql"] as const satisfies readonly KeyScope[];

const SETTING_NAMES = ["keyFile", "usageFolder", "data"] as const;

const EXAMPLES = [
  ["a key for a dashboard, for 90 days", "quarry keys create dashboard --days 90 --key-file keys.json"],
  [
    "a key that lets Prometheus read only the metrics",
    "quarry keys create prometheus --scopes metrics --key-file keys.json",
  ],
  [
    "a key for the operator, which the explorer's Operations page needs",
    "quarry keys create operator --scopes data,sql,operations --key-file keys.json",
  ],
  [
    "a key for guests, with limits",
    "quarry keys create guests --rate 5 --monthly-requests 100000 --query-time 5 --key-file keys.json",
  ],
  ["all keys, without the secrets", "quarry keys list --key-file keys.json"],
  ["what each key has used this month", "quarry keys usage --key-file keys.json --data ./data"],
  [
    "revoke a key; it stops working within two seconds",
    "quarry keys revoke key_0123456789ab --key-file keys.json",
  ],
] as const;

interface KeyOptions {
  days?: string;
  rate?: string;
  scopes?: string;
  monthlyRequests?: string;
  queryTime?: string;
  queryMemory?: string;
  sqlRows?: string;
  month?: string;
  json?: true;
}

/** `quarry keys`: manages the API keys in a file. Running services notice changes to the file. */
export function keysCommand(): Command {
  const command = new Command("keys")
    .description("manage the API keys of clients: a file of hashes with scopes, limits and expiry dates")
    .addArgument(new Argument("<action>", "what to do").choices(ACTION_NAMES))
    .argument("[target]", "create: name of the key; revoke: id of the key")
    .addOption(new Option("--days <number>", "create: days until the key expires; default: never"))
    .addOption(
      new Option(
        "--scopes <name[,name]>",
        `create: what the key may be used for: any of ${SCOPES.join(", ")}; default: ${USUAL_SCOPES.join(",")}`,
      ),
    )
    .addOption(
      new Option(
        "--rate <number>",
        "create: maximum requests per second with the key, instead of --client-rate",
      ),
    )
    .addOption(
      new Option(
        "--monthly-requests <number>",
        "create: maximum requests with the key in a calendar month (UTC); default: no limit",
      ),
    )
    .addOption(
      new Option(
        "--query-time <seconds>",
        "create: time limit of a query, if lower than that of the service",
      ),
    )
    .addOption(
      new Option(
        "--query-memory <MiB>",
        "create: maximum memory of a query, if lower than that of the service",
      ),
    )
    .addOption(
      new Option(
        "--sql-rows <number>",
        "create: maximum rows of a SQL answer, if lower than that of the service",
      ),
    )
    .addOption(new Option("--month <YYYY-MM>", "usage: the month to show; default: the current one"))
    .option("--json", "print the result as JSON");
  addSettings(command, SETTING_NAMES);
  addExamples(command, EXAMPLES);
  return command.action(async (action: ActionName, target: string | undefined) => {
    const { keyFile, data, usageFolder = join(data, "usage") } = configOf(command, SETTING_NAMES).settings;
    if (keyFile === undefined) throw new NoPath();
    const { json, month, ...options } = command.opts<KeyOptions>();
    const fields = fieldsOf(options);
    if (action !== "create") requireNone(action, "create", fields);
    if (action !== "usage") requireNone(action, "usage", month === undefined ? {} : { month });
    const { ACTIONS } = await import("./key-actions.ts");
    const result = await ACTIONS[action](keyFile, { target, fields, month, usageFolder });
    process.stdout.write(json === true ? `${JSON.stringify(result.json)}\n` : result.text);
  });
}

function fieldsOf(given: KeyOptions): Record<string, string> {
  const fields = {
    days: given.days,
    scopes: given.scopes,
    rate: given.rate,
    "monthly-requests": given.monthlyRequests,
    "query-time": given.queryTime,
    "query-memory": given.queryMemory,
    "sql-rows": given.sqlRows,
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function requireNone(action: ActionName, owner: ActionName, given: Record<string, string>): void {
  for (const name of Object.keys(given)) throw new OnlyForOne(name, owner, action);
}

class NoPath extends BaseError {
  constructor() {
    super("bad-config", "--key-file is missing: give the path of the file, or set QUARRY_KEY_FILE.");
  }
}

class OnlyForOne extends BaseError {
  constructor(name: string, owner: string, action: string) {
    super("bad-config", `--${name} applies only to quarry keys ${owner}, not to ${action}.`);
  }
}
