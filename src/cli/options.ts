import { type Command, Option } from "commander";
import { type Config, loadConfig } from "../config/load-config.ts";
import { SETTINGS, type SettingName } from "../config/settings.ts";

/** Gives a command the flags of some settings, with its own defaults where they differ, and `--config`. */
export function addSettings(
  command: Command,
  names: readonly SettingName[],
  defaults: Partial<Record<SettingName, unknown>> = {},
): Command {
  for (const name of names) {
    const { flag, doc, env, schema } = SETTINGS[name];
    const note = flag.startsWith("--no-")
      ? `(${env}=false)`
      : defaultNote(schema.safeParse(defaults[name]), env);
    command.addOption(new Option(flag, `${doc} ${note}`));
  }
  return command.option("--config <file>", "configuration file (default: quarry.config.json, if there)");
}

function defaultNote(parsed: { success: boolean; data?: unknown }, env: string): string {
  const value = parsed.success ? parsed.data : undefined;
  return value === undefined ? `(${env})` : `(default: ${value}; ${env})`;
}

/**
 * The checked settings of a command from its flags, the environment and the configuration file.
 *
 * @param defaults the command's own defaults, where they differ from the settings'
 */
export function configOf<N extends SettingName>(
  command: Command,
  names: readonly N[],
  defaults: Record<string, unknown> = {},
): Config<N> {
  const { config, ...flags } = command.opts();
  // Commander gives a --no-x flag the value true when it is absent: only what was typed counts as given.
  const typed = Object.entries(flags).filter(([name]) => command.getOptionValueSource(name) === "cli");
  return loadConfig(names, {
    flags: Object.fromEntries(typed),
    env: process.env,
    defaults,
    ...(typeof config === "string" ? { file: config } : {}),
  });
}
