import { readFileSync } from "node:fs";
import type { Chain } from "../chains/chain.ts";
import { resolveChains } from "../chains/chain-config.ts";
import { isObject } from "../lib/is-object.ts";
import { didYouMean, editDistance } from "../lib/names/suggestion.ts";
import { allowedText } from "./allowed-values.ts";
import { BadConfig } from "./bad-config.ts";
import { type ChainServers, splitChains } from "./groups/chain-servers.ts";
import type { Setting } from "./setting.ts";
import { SETTINGS, type SettingName, type Settings } from "./settings.ts";

/** Configuration file that is read if it is in the working directory. */
const DEFAULT_FILE = "quarry.config.json";

export interface ConfigSources {
  /** Values from the command line, by setting name. */
  flags: Record<string, unknown>;
  env: NodeJS.ProcessEnv;
  /** Configuration file. A missing file is an error only if it is named here. */
  file?: string;
  /** Defaults that override the defaults of the settings. */
  defaults?: Record<string, unknown>;
}

export interface Config<N extends SettingName> {
  settings: Settings<N> & {
    /** The command's chain, as the only element; present only if `clickhouse` is that chain's own server. */
    serverOf?: readonly string[];
  };
  /** Built-in chains, overridden and extended by the file. */
  chains: Map<string, Chain>;
  /**
   * Servers from the file. If a command is for one chain, its settings already have the chain's server as
   * `clickhouse`.
   */
  servers: ChainServers;
}

/**
 * Loads the settings of a command. Flags override the environment, which overrides the file, which overrides
 * the defaults. --data on the command line overrides a server in the environment or the file. If the file
 * gives the command's chain its own server, the chain uses this server, and a flag that names another store
 * is an error. Throws `bad-config` with the name of the setting, its source, and the allowed values.
 */
export function loadConfig<N extends SettingName>(names: readonly N[], sources: ConfigSources): Config<N> {
  const file = readConfigFile(sources.file);
  const { chains, ...values } = file.content;
  refuseUnknownKeys(values, file.name);
  const given = Object.fromEntries(
    names.map((name) => [name, settingOf(name, sources, { ...file, values })]),
  );
  const { definitions, servers } = splitChains(chains, file.name);
  const common = { ...given, ...typedStore(given, sources.flags) };
  const settings = { ...common, ...ownServer(common, servers, sources.flags) };
  return { settings: settings as Config<N>["settings"], chains: resolveChains(definitions), servers };
}

/**
 * Returns an override that removes the server from the settings if the command line names the data directory
 * instead.
 */
function typedStore(
  settings: Record<string, unknown>,
  flags: ConfigSources["flags"],
): { clickhouse?: undefined } {
  if (flags.data === undefined || !("clickhouse" in settings)) return {};
  if (flags.clickhouse !== undefined) {
    throw new BadConfig(
      "--data and --clickhouse name two stores, but a command uses only one. Omit one of them.",
    );
  }
  return { clickhouse: undefined };
}

/** Returns the settings for the server of the command's chain, if it has its own; otherwise no settings. */
function ownServer(
  settings: Record<string, unknown>,
  servers: ChainServers,
  flags: ConfigSources["flags"],
): { clickhouse?: string; engineMemory?: undefined; serverOf?: string[] } {
  if (!("clickhouse" in settings)) return {};
  const clickhouse = servers.get(String(settings.chain));
  if (clickhouse === undefined) return {};
  const typed = ["clickhouse", "data"].find((name) => (flags[name] ?? clickhouse) !== clickhouse);
  if (typed !== undefined) {
    throw new BadConfig(
      `--${typed} contradicts the configuration file, which gives chain ${settings.chain} a ClickHouse server of its ` +
        `own. Omit --${typed}, or remove the chain's "clickhouse" from the file.`,
    );
  }
  // In the file or the environment, `engineMemory` is for the chains in the data directory, not for this one.
  const own = { clickhouse, serverOf: [String(settings.chain)] };
  return flags.engineMemory === undefined ? { ...own, engineMemory: undefined } : own;
}

interface ConfigFile {
  name: string;
  content: Record<string, unknown>;
}

function readConfigFile(requested: string | undefined): ConfigFile {
  const name = requested ?? DEFAULT_FILE;
  let text: string;
  try {
    text = readFileSync(name, "utf8");
  } catch (cause) {
    if (requested === undefined) return { name, content: {} };
    const { code } = cause as NodeJS.ErrnoException;
    throw new BadConfig(
      `cannot read the configuration file ${name} (${code}). Name an existing file with --config, or omit the flag.`,
      cause,
    );
  }
  try {
    const content: unknown = JSON.parse(text);
    if (isObject(content)) return { name, content };
  } catch (cause) {
    throw new BadConfig(`${name} is not valid JSON: ${(cause as Error).message}. Correct the file.`, cause);
  }
  throw new BadConfig(`${name} must contain one JSON object, such as {"port": 8080}`);
}

function refuseUnknownKeys(values: Record<string, unknown>, file: string): void {
  for (const key of Object.keys(values)) {
    if (Object.hasOwn(SETTINGS, key)) continue;
    const known = ["chains", ...Object.keys(SETTINGS)];
    const suggestion = didYouMean(key, known) || ".";
    throw new BadConfig(`${file}: unknown key "${key}"${suggestion} Known keys: ${known.join(", ")}`);
  }
}

/**
 * Returns the environment variables that look like misspelled settings, each with the correct name. They
 * cannot be rejected, because tests and container platforms set other variables that begin with QUARRY_.
 */
export function mistypedVariables(env: NodeJS.ProcessEnv): { name: string; meant: string }[] {
  const known = Object.values<Setting>(SETTINGS).map((setting) => setting.env);
  return Object.keys(env)
    .filter((name) => name.startsWith("QUARRY_") && name.length <= MAX_VARIABLE && !known.includes(name))
    .flatMap((name) => {
      const [nearest] = known
        .map((meant) => ({ name, meant, distance: editDistance(name, meant) }))
        .sort((a, b) => a.distance - b.distance);
      const isNear = nearest !== undefined && nearest.distance <= MAX_TYPING_ERRORS;
      return isNear ? [{ name, meant: nearest.meant }] : [];
    });
}

/** Maximum length of a variable name that is compared; the names of settings are shorter. */
const MAX_VARIABLE = 60;
const MAX_TYPING_ERRORS = 2;

function settingOf(
  name: SettingName,
  { flags, env, defaults = {} }: ConfigSources,
  file: { name: string; values: Record<string, unknown> },
): unknown {
  const { schema, env: variable, flag, doc, isSecret = false }: Setting = SETTINGS[name];
  const given = [
    { value: flags[name], place: flag.split(" ")[0] },
    { value: env[variable] === "" ? undefined : env[variable], place: variable },
    { value: file.values[name], place: `"${name}" in ${file.name}` },
    { value: defaults[name], place: "default" },
  ].find(({ value }) => value !== undefined);
  const result = schema.safeParse(given?.value);
  if (result.success) return result.data;
  if (given === undefined) {
    throw new BadConfig(`missing ${flag} (or ${variable}, or "${name}" in ${file.name}): ${doc}`);
  }
  const value = isSecret ? "its value" : JSON.stringify(given.value);
  const [rule] = result.error.issues.flatMap((issue) => (issue.code === "custom" ? [issue.message] : []));
  const allowed = allowedText(schema) + (rule === undefined ? "" : `, which ${rule}`);
  throw new BadConfig(`${given.place}: ${value} is not allowed. Give ${allowed}: ${doc}.`);
}
