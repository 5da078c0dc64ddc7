import { type Command, Option } from "commander";
import { type Config, type ConfigSources, loadConfig, mistypedVariables } from "../config/load-config.ts";
import { memoryDefaults } from "../config/memory-defaults.ts";
import { SETTING_GROUPS } from "../config/setting.ts";
import { SETTINGS, type SettingName } from "../config/settings.ts";
import { memoryLimitBytes } from "../lib/memory-limit.ts";

/**
 * Adds `--config` and the flags of these settings to a command, under the headings of its help.
 *
 * @param defaults the command's own defaults, where they differ from those of the settings
 */
export function addSettings(
  command: Command,
  names: readonly SettingName[],
  defaults: Partial<Record<SettingName, unknown>> = {},
): Command {
  const general: (typeof SETTING_GROUPS)[number] = "General";
  const groupIndex = (name: SettingName) => SETTING_GROUPS.indexOf(SETTINGS[name].group);
  for (const name of names.toSorted((a, b) => groupIndex(a) - groupIndex(b))) {
    command.addOption(settingOption(name, defaults[name]));
  }
  return command
    .addOption(
      new Option(
        "--config <file>",
        "configuration file (default: quarry.config.json, if it exists)",
      ).helpGroup(`${general}:`),
    )
    .addHelpOption(new Option("-h, --help", "print this help").helpGroup(`${general}:`));
}

function settingOption(name: SettingName, ownDefault: unknown): Option {
  const { flag, doc, env, schema, group } = SETTINGS[name];
  const note = flag.startsWith("--no-") ? `(${env}=false)` : defaultNote(schema.safeParse(ownDefault), env);
  return new Option(flag, `${doc} ${note}`).helpGroup(`${group}:`);
}

/** Ends the help of a command with examples: the purpose of each, and the line to type. */
export function addExamples(command: Command, examples: readonly (readonly [string, string])[]): Command {
  const lines = examples.flatMap(([purpose, line]) => [`  # ${purpose}`, `  ${line}`]);
  return command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

function defaultNote(parsed: { success: boolean; data?: unknown }, env: string): string {
  const value = parsed.success ? parsed.data : undefined;
  return value === undefined ? `(${env})` : `(default: ${value}; ${env})`;
}

/**
 * Reads the validated settings of a command from its flags, the environment and the configuration file.
 *
 * @param defaults the command's own defaults, where they differ from those of the settings
 */
export function configOf<N extends SettingName>(
  command: Command,
  names: readonly N[],
  defaults: Record<string, unknown> = {},
): Config<N> {
  const { config, ...flags } = command.opts();
  // Commander sets an absent --no-x flag to true, so only flags that were typed are passed on.
  const typed = Object.entries(flags).filter(([name]) => command.getOptionValueSource(name) === "cli");
  const sources = {
    flags: Object.fromEntries(typed),
    env: process.env,
    ...(typeof config === "string" ? { file: config } : {}),
  };
  warnOfMistypedVariables();
  const ofMemory = memoryDefaults(memoryLimitBytes(), isEmbedded(names, sources));
  return loadConfig(names, { ...sources, defaults: { ...ofMemory, ...defaults } });
}

/** Reports mistyped variables: without its keys, for example, a service would be open to everyone. */
function warnOfMistypedVariables(): void {
  for (const { name, meant } of mistypedVariables(process.env))
    process.stderr.write(`quarry: the variable ${name} is not a setting; did you mean ${meant}?\n`);
}

function isEmbedded(names: readonly SettingName[], sources: ConfigSources): boolean {
  const deciding = names.filter((name) => name === "clickhouse" || name === "chain");
  const { clickhouse } = loadConfig(deciding, sources).settings as { clickhouse?: string };
  return clickhouse === undefined;
}
