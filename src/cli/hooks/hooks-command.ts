import { Argument, Command, Option } from "commander";
import { SERVER_SETTING_NAMES } from "../../config/groups/server-settings.ts";
import { WEBHOOK_SETTING_NAMES } from "../../config/groups/webhook-settings.ts";
import { BaseError } from "../../lib/error.ts";
import { addExamples, addSettings, configOf } from "../options.ts";
import { ACTION_NAMES, type ActionName } from "./action-names.ts";

const SETTING_NAMES = [
  "chain",
  "data",
  ...SERVER_SETTING_NAMES,
  "engineMemory",
  ...WEBHOOK_SETTING_NAMES,
] as const;

const EXIT_FAILED = 1;

const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";

const EXAMPLES = [
  [
    "trades worth 100,000 USD or more",
    `quarry hooks add https://example.org/hook --rule '{"type":"trades","min_usd":100000}'`,
  ],
  [
    "wrapped ether crosses 4,000 USD",
    `quarry hooks add https://example.org/hook --rule '{"type":"price_crosses","token_address":"${WETH}","level":4000}'`,
  ],
  ["all webhooks and their states", "quarry hooks list"],
  ["send a signed test delivery", "quarry hooks test hook_0123456789abcdef"],
  ["resume after a receiver failed for too long", "quarry hooks resume hook_0123456789abcdef"],
] as const;

/**
 * `quarry hooks`: manages the webhooks of a data directory or a ClickHouse server, whether or not a service
 * is running.
 */
export function hooksCommand(): Command {
  const command = new Command("hooks")
    .description(
      "manage webhooks: signed HTTP requests when a wallet trades, a price crosses a level or a pool is created",
    )
    .addArgument(new Argument("<action>", "what to do").choices(ACTION_NAMES))
    .argument("[target]", "add: URL of the receiver; otherwise: id of the webhook")
    .addOption(
      new Option(
        "--rule <json>",
        "add: what to deliver, as in a stream's subscriptions; may be given several times",
      )
        .argParser((text: string, before: string[]) => [...before, text])
        .default([], "none"),
    )
    .option("--json", "print the result as JSON");
  addSettings(command, SETTING_NAMES);
  addExamples(command, EXAMPLES);
  return command.action(async (action: ActionName, target: string | undefined) => {
    const { settings } = configOf(command, SETTING_NAMES);
    const { rule: rules, json } = command.opts<{ rule: string[]; json?: true }>();
    if (rules.length > 0 && action !== "add") throw new RuleWithoutAdd(action);
    const { openWebhooks } = await import("./open-webhooks.ts");
    const { ACTIONS } = await import("./hook-actions.ts");
    const webhooks = await openWebhooks(settings);
    try {
      const result = await ACTIONS[action](webhooks, { target, rules, settings });
      process.stdout.write(json === true ? `${JSON.stringify(result.json)}\n` : result.text);
      if (result.isOk === false) process.exitCode = EXIT_FAILED;
    } catch (error) {
      throw error instanceof BaseError && error.code === "bad-input" ? new InvalidArguments(error) : error;
    } finally {
      await webhooks.close();
    }
  });
}

/** A URL or a rule on the command line is invalid. */
class InvalidArguments extends BaseError {
  constructor(cause: BaseError) {
    super("bad-config", cause.message, { cause });
  }
}

class RuleWithoutAdd extends BaseError {
  constructor(action: string) {
    super("bad-config", `--rule applies only to quarry hooks add, not to ${action}.`);
  }
}
